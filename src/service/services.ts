// The services that Easel can ask, as data: nothing else in the code asks which one it is.
import type { OfferedSizes, Quality, Size, SizeRule } from './sizes.js';

/** Meanings of errors whose status alone does not say what helps against them. */
export const meanings = ['key', 'money', 'moderation', 'verification', 'model'] as const;
export type Meaning = (typeof meanings)[number];

/** Abilities beyond the specification's. */
type Ability = 'mask' | 'markup' | 'transparent' | 'jpeg' | 'webp';

/**
 * Pictures that marks are sent in: `markup` and `mask` are laid over the first reference image by the
 * service; `copy` is that image with the marks drawn on it, as the second one.
 */
export const marksManners = ['markup', 'mask', 'copy'] as const;
export type MarksManner = (typeof marksManners)[number];

/** One image service, or one kind of them: its manner, and what it offers. */
export interface Service {
	readonly title: string;
	/** Recognizes an address by its host. */
	readonly hosts?: RegExp;
	/** Path that all endpoints begin with. */
	readonly base: '/v1' | '/openai/v1';
	/** Other paths, which its pages show as an address; a query may follow. */
	readonly otherPaths?: RegExp;
	readonly keyHeader: 'authorization' | 'api-key';
	/** True where it works without a key. */
	readonly keyIsOptional?: true;
	/** The model that is named where the user names none; `undefined` where there is none for all. */
	readonly defaultModel: string | undefined;
	/** True where a model is the name of a deployment, which no list of models has. */
	readonly namesDeployments?: true;
	/** True where a request need not name a model. */
	readonly modelIsOptional?: true;
	/** Fields of every request whose value never changes. */
	readonly statedFields: {
		readonly response_format?: 'b64_json';
		readonly output_format?: 'png';
	};
	/** True where `size` is left out instead of `auto`. */
	readonly omitsAutoSize?: true;
	/** True where an edit takes `quality`, too. */
	readonly editsTakeQuality: boolean;
	/** Sizes that are offered as they are. */
	readonly sizes: readonly Size[];
	/** Sizes beside these, where it takes more than a list. */
	readonly sizeRule?: SizeRule;
	readonly qualities: readonly Quality[];
	/** Models that take less, or more, than the row says; the first that matches counts. */
	readonly models?: readonly {
		readonly title: string;
		readonly name: RegExp;
		/** Without a rule. */
		readonly sizes?: readonly Size[];
		readonly qualities?: readonly Quality[];
		readonly can?: readonly Ability[];
	}[];
	/** Number of reference images that an edit takes; unlimited where it is not known. */
	readonly maxReferences?: number;
	/** True where the image of an answer is fetched that has a link in its place. */
	readonly fetchesLinks?: true;
	readonly can?: readonly Ability[];
	/** Errors by their code, or their type where they have none, or by their words. */
	readonly errors?: readonly {
		readonly meaning: Meaning;
		readonly codes?: readonly string[];
		readonly words?: RegExp;
	}[];
	/** The page where the account is verified. */
	readonly accountPage?: string;
}

const specificationSizes = [
	...(['auto', '1024x1024', '1536x1024', '1024x1536', '1536x1152', '1152x1536'] as const),
	...(['2048x2048', '2048x1152', '3840x2160', '2160x3840'] as const),
];

const firstSizes = ['auto', '1024x1024', '1536x1024', '1024x1536'] as const;

/*
 * The manner of OpenAI and, where it has the same models, Azure. Fields, sizes, qualities and limits: the comments
 * in `resources/images.d.ts` of the npm package openai 7.59.0. Codes: learn.microsoft.com
 * "openai-insufficient-quota", developers.openai.com "Error codes"; the words about an organization
 * that is not verified, which come without a code: openai-php/client#565.
 */
const gptImages = {
	// "Unsupported for GPT image models, which always return base64-encoded images": response_format.
	statedFields: { output_format: 'png' },
	editsTakeQuality: true,
	sizes: specificationSizes,
	// Of the models from 2 on: "Width and height must both be divisible by 16 and the requested aspect ratio must
	// be between 1:3 and 3:1"; the longest edge and the numbers of pixels as well.
	sizeRule: {
		...{ multipleOf: 16, minEdge: 16, maxEdge: 3840, maxRatio: 3 },
		...{ minPixels: 655_360, maxPixels: 8_294_400 },
	},
	qualities: ['low', 'medium', 'high'],
	models: [
		{ title: '`gpt-image-1.5` and older', name: /^gpt-image-1(?![\d])/, sizes: firstSizes },
		{
			title: '`gpt-image-2.5` and newer',
			name: /^gpt-image-(2\.[5-9]|[3-9])/,
			qualities: ['low', 'medium', 'high', 'xhigh', 'max'],
			// `markup` "supports GPT Image 2.5"; all of them take a mask.
			can: ['mask', 'markup', 'transparent', 'jpeg', 'webp'],
		},
	],
	maxReferences: 16,
	can: ['mask', 'transparent', 'jpeg', 'webp'],
} as const satisfies Partial<Service>;

const gptImageErrors = [
	{
		meaning: 'money',
		codes: [
			...['insufficient_quota', 'billing_hard_limit_reached', 'billing_not_active'],
			...['credit_balance_exhausted', 'organization_spend_limit_exceeded'],
			...['project_spend_limit_exceeded', 'organization_usage_limit_exceeded'],
		],
	},
	{ meaning: 'moderation', codes: ['moderation_blocked', 'content_policy_violation'] },
	{ meaning: 'model', codes: ['model_not_found'] },
] as const;

const table = {
	/** The specification's own. */
	standard: {
		title: 'Standard image service',
		base: '/v1',
		keyHeader: 'authorization',
		// "The model identifier std-image-2 is the only model value accepted" ("Versioning", rule 3).
		defaultModel: 'std-image-2',
		// "Every request should state model, n, response_format and output_format explicitly."
		statedFields: { response_format: 'b64_json', output_format: 'png' },
		// "No fields other than those above are declared" ("Image-to-image request").
		editsTakeQuality: false,
		sizes: specificationSizes,
		// The specification shows these two values only ("Text-to-image request").
		qualities: ['low', 'high'],
	},
	openai: {
		...gptImages,
		title: 'OpenAI',
		hosts: /^api\.openai\.com$/,
		base: '/v1',
		keyHeader: 'authorization',
		// What the same comments recommend in place of models that were shut down.
		defaultModel: 'gpt-image-2.5-flare',
		errors: [
			...gptImageErrors,
			{ meaning: 'key', codes: ['invalid_api_key'] },
			{ meaning: 'verification', words: /organization must be verified/i },
		],
		accountPage: 'https://platform.openai.com/settings/organization/general',
	},
	/*
	 * learn.microsoft.com, "How to use Azure OpenAI image generation models": key in `api-key`, the
	 * deployment's name as `model`, "error.code is set to contentFilter"; the address with `/openai/v1`:
	 * "Azure OpenAI in Azure AI Foundry Models v1 API".
	 */
	azure: {
		...gptImages,
		title: 'Azure OpenAI',
		hosts: /\.(openai\.azure\.com|services\.ai\.azure\.com|cognitiveservices\.azure\.com)$/,
		base: '/openai/v1',
		otherPaths: /^\/openai\/deployments\/[^/]+(\/images\/(generations|edits))?\/?$/,
		keyHeader: 'api-key',
		defaultModel: undefined,
		namesDeployments: true,
		errors: [
			...gptImageErrors,
			{
				meaning: 'moderation',
				codes: ['contentFilter', 'content_filter', 'ResponsibleAIPolicyViolation'],
			},
			{ meaning: 'model', codes: ['DeploymentNotFound'] },
		],
	},
	/*
	 * The manner that these have in common: stable-diffusion.cpp (examples/server/routes_openai.cpp: other fields are
	 * ignored, a size without `x` is none), vLLM-Omni (docs.vllm.ai, "Image Generation API" and "Image Edit
	 * API"), LocalAI (`url` unless `response_format` says otherwise), and Dynamo (docs.nvidia.com, "Image
	 * Edits API": unknown fields are refused). All of them answer with PNG by default.
	 */
	local: {
		title: 'Local server',
		base: '/v1',
		keyHeader: 'authorization',
		keyIsOptional: true,
		defaultModel: undefined,
		modelIsOptional: true,
		statedFields: { response_format: 'b64_json' },
		omitsAutoSize: true,
		fetchesLinks: true,
		editsTakeQuality: false,
		sizes: [
			...(['auto', '512x512', '768x512', '512x768', '768x768'] as const),
			...(['1024x1024', '1536x1024', '1024x1536'] as const),
		],
		// Encoders of images divide by 8; what a model takes beyond that, servers round by themselves.
		sizeRule: { multipleOf: 8, minEdge: 64, maxEdge: 2048 },
		qualities: [],
	},
} as const satisfies Record<string, Service>;

export type ServiceId = keyof typeof table;

/** The table; the specification's service is its first row, and the default. */
export const services: Readonly<Record<ServiceId, Service>> = table;

export const serviceIds = Object.keys(table) as [ServiceId, ...ServiceId[]];

export const defaultService: ServiceId = 'standard';

/** Returns the service that an address belongs to by its host; `undefined` where none is known. */
export function recognizeService(address: string): ServiceId | undefined {
	const { hostname } = new URL(address);
	return serviceIds.find((id) => services[id].hosts?.test(hostname));
}

/** Choices for an image, of one service and one of its models. */
export interface Offer extends OfferedSizes {
	readonly qualities: readonly Quality[];
	readonly can?: readonly Ability[];
}

/** Returns what a service offers for a model, by the name that a request has for it. */
export function offerOf(service: Service, model = service.defaultModel ?? ''): Offer {
	const { sizes, sizeRule, qualities, can = [], models = [] } = service;
	const special = models.find(({ name }) => name.test(model));
	return {
		...(special?.sizes === undefined
			? { sizes, sizeRule }
			: { sizes: special.sizes, sizeRule: undefined }),
		qualities: special?.qualities ?? qualities,
		can: special?.can ?? can,
	};
}

/** Returns whether a quality is sent with so many reference images. */
export function takesQuality(
	{ qualities, editsTakeQuality }: Pick<Service, 'qualities' | 'editsTakeQuality'>,
	references: number,
): boolean {
	return qualities.length > 0 && (references === 0 || editsTakeQuality);
}

/** Returns whether a service makes images with a transparent background. */
export function takesTransparency({ can = [] }: Pick<Service, 'can'>): boolean {
	return can.includes('transparent');
}

/** Returns the picture that a service takes marks in; with a mask it does not see what they point at. */
export function marksMannerOf({ can = [] }: Pick<Service, 'can'>): MarksManner {
	return can.includes('markup') ? 'markup' : can.includes('mask') ? 'mask' : 'copy';
}

/** Returns what an error means to a service, by its code or its words. */
export function meaningOf(
	{ errors = [] }: Service,
	{
		code = '',
		message = '',
	}: { readonly code?: string | undefined; readonly message?: string | undefined },
): Meaning | undefined {
	return errors.find(
		({ codes = [], words }) => codes.includes(code) || (words?.test(message) ?? false),
	)?.meaning;
}
