import { imageSize } from 'image-size';
import {
	checkEdit,
	checkGeneration,
	type ImageOrder,
	type PictureFormat,
} from './contractCheck.js';
import type { Form, FormFile } from './form.js';
import { badRequest, errorBody, quotaBody, Refusal } from './refusal.js';

// Written down here once more, from the services' own pages and the types of the npm package `openai`,
// and not from the client: a judge that asks the accused for the law finds nothing.

type Body = Readonly<Record<string, unknown>>;

/** The manner of one kind of service: what it takes, what it refuses, and in which words. */
export interface Manner {
	/** Path before `/images/generations`. */
	readonly base: string;
	/** An older one that is taken, too. */
	readonly olderBase?: RegExp;
	/** The header of the key. */
	readonly keyHeader: 'authorization' | 'api-key';
	/** True where any key will do, or none. */
	readonly isOpen?: boolean;
	readonly models: readonly string[];
	/** Event that streams of its language models begin with. */
	readonly firstEvent?: object;
	/** @throws {Refusal} naming the field */
	checkGeneration(body: Body): ImageOrder;
	/** @throws {Refusal} naming the field */
	checkEdit(form: Form): ImageOrder;
	readonly wrongKey: (what: 'missing' | 'invalid') => Refusal;
	readonly noMoney: () => Refusal;
}

/** Prompts with this word are not allowed where a service moderates. */
export const blockedWord = 'forbidden';

/** A model that only a verified organization may use. */
const verifiedModel = 'gpt-image-2.6-sunburst';

const standard: Manner = {
	base: '/v1',
	keyHeader: 'authorization',
	models: ['words-1', 'words-2'],
	checkGeneration,
	checkEdit,
	wrongKey: (what) =>
		new Refusal(
			401,
			errorBody(`The API key is ${what}.`, 'authentication_error', 'invalid_api_key'),
			{ 'www-authenticate': 'Bearer' },
		),
	noMoney: () => new Refusal(402, quotaBody()),
};

const imageFields = [
	'model',
	'prompt',
	'n',
	'size',
	'quality',
	'background',
	'output_format',
].concat(...['output_compression', 'moderation', 'user', 'stream', 'partial_images', 'complexity']);

function openaiRefusal(status: number, message: string, type: string, code: string | null) {
	return new Refusal(status, { error: { message, type, param: null, code } });
}

function invalid(message: string, code: string | null = 'invalid_value') {
	return openaiRefusal(400, message, 'invalid_request_error', code);
}

/** Checks what both endpoints of OpenAI's GPT image models take. */
function checkGptImage(body: Body, model: string, allowed: readonly string[], blocked: string) {
	const stranger = Object.keys(body).find((name) => !allowed.includes(name));
	if (stranger !== undefined) {
		throw invalid(`Unknown parameter: '${stranger}'.`, 'unknown_parameter');
	}
	const { prompt, size = 'auto', quality = 'auto', background = 'auto' } = body;
	const { output_format: format = 'png' } = body;
	if (typeof prompt !== 'string' || prompt === '' || prompt.length > 32_000) {
		throw invalid('Missing required parameter: prompt.', 'missing_required_parameter');
	}
	const isOld = /^gpt-image-1(\.|-|$)/.test(model);
	const isNew = /^gpt-image-2\.[5-9]/.test(model);
	if (typeof size !== 'string' || !(isOld ? isOldSize(size) : isSize(size))) {
		throw invalid(`Invalid size '${String(size)}'.`);
	}
	const qualities = ['auto', 'low', 'medium', 'high', ...(isNew ? ['xhigh', 'max'] : [])];
	if (typeof quality !== 'string' || !qualities.includes(quality)) {
		throw invalid(
			`Invalid value: '${String(quality)}'. Supported values are: ${qualities.join()}.`,
		);
	}
	if (!isFormat(format)) {
		throw invalid(`Invalid value: '${String(format)}'. Supported values are: png, webp and jpeg.`);
	}
	if (!['auto', 'opaque', 'transparent'].includes(String(background))) {
		throw invalid(`Invalid value: '${String(background)}'.`);
	}
	const isTransparent = background === 'transparent';
	if (isTransparent && format === 'jpeg') {
		throw invalid('Transparent background is not supported for jpeg output format.');
	}
	if (prompt.includes(blockedWord)) {
		const message = 'Your request was rejected by the safety system.';
		throw openaiRefusal(400, message, 'image_generation_user_error', blocked);
	}
	return { prompt, size, quality, format, isTransparent };
}

function isFormat(format: unknown): format is PictureFormat {
	return ['png', 'webp', 'jpeg'].includes(String(format));
}

/** Checks what is laid over the first image: at most one PNG, of its dimensions. */
function checkOverlay(first: FormFile, overlays: readonly FormFile[], model: string): void {
	const [overlay, ...others] = overlays;
	if (others.length > 0) {
		throw invalid('markup cannot be combined with mask.');
	}
	if (overlay !== undefined) {
		const { field, bytes, size } = overlay;
		const [over, under] = [bytes, first.bytes].map((file) => imageSize(file!));
		if (over!.type !== 'png' || over!.width !== under!.width || over!.height !== under!.height) {
			throw invalid(`${field} must be a PNG of the dimensions of the first image.`);
		}
		if (field === 'markup' && !/^gpt-image-2\.[5-9]/.test(model)) {
			throw invalid("Unknown parameter: 'markup'.", 'unknown_parameter');
		}
		if (field === 'mask' && size >= 4 * 1024 * 1024) {
			throw invalid('mask must be less than 4MB.');
		}
	}
}

const isOldSize = (size: string) => ['auto', '1024x1024', '1536x1024', '1024x1536'].includes(size);

function isSize(size: string): boolean {
	const [, width = 0, height = 0] = (/^(\d+)x(\d+)$/.exec(size) ?? []).map(Number);
	return (
		size === 'auto' ||
		(width % 16 === 0 &&
			height % 16 === 0 &&
			Math.max(width, height) <= 3840 &&
			Math.max(width / height, height / width) <= 3 &&
			width * height >= 655_360 &&
			width * height <= 8_294_400)
	);
}

/** Reads the form of an edit: fields once each, and one to so many files. */
function readEdit({ fields, files }: Form, max: number): Record<string, string> {
	const body = Object.fromEntries(fields.map(({ name, value }) => [name, value]));
	const names = new Set(files.map(({ field }) => field));
	if (names.size !== 1 || !['image', 'image[]'].includes([...names][0]!)) {
		throw invalid('Missing required parameter: image.', 'missing_required_parameter');
	}
	if (files.length > max || (names.has('image') && files.length > 1)) {
		throw invalid(`Too many images: ${files.length}.`);
	}
	return body;
}

function gptImages(
	model: (name: unknown) => string,
	blocked: string,
): Pick<Manner, 'checkGeneration' | 'checkEdit'> {
	return {
		checkGeneration(body) {
			const checked = checkGptImage(body, model(body.model), imageFields, blocked);
			if (body.n !== undefined && !isCount(body.n)) {
				throw invalid('n must be an integer from 1 to 10.', 'invalid_type');
			}
			return { ...checked, references: [] };
		},
		checkEdit(form) {
			const isOverlay = ({ field }: FormFile) => field === 'mask' || field === 'markup';
			const files = form.files.filter((file) => !isOverlay(file));
			const body = readEdit({ ...form, files }, 16);
			checkOverlay(files[0]!, form.files.filter(isOverlay), model(body.model));
			const allowed = [...imageFields, 'input_fidelity'];
			const checked = checkGptImage(body, model(body.model), allowed, blocked);
			return { ...checked, references: files.map(({ bytes }) => bytes) };
		},
	};
}

const isCount = (n: unknown) => Number.isInteger(n) && Number(n) >= 1 && Number(n) <= 10;

const openai: Manner = {
	base: '/v1',
	keyHeader: 'authorization',
	models: ['gpt-6', 'gpt-image-1-mini', 'gpt-image-2', 'gpt-image-2.5-flare', verifiedModel],
	...gptImages((name) => {
		if (name === verifiedModel) {
			const message = `Your organization must be verified to use the model \`${verifiedModel}\`.`;
			throw openaiRefusal(403, message, 'invalid_request_error', null);
		}
		if (typeof name !== 'string' || !openai.models.includes(name)) {
			const message = `The model '${String(name)}' does not exist.`;
			throw openaiRefusal(404, message, 'invalid_request_error', 'model_not_found');
		}
		return name;
	}, 'moderation_blocked'),
	wrongKey: () =>
		openaiRefusal(401, 'Incorrect API key provided.', 'invalid_request_error', 'invalid_api_key'),
	noMoney: () => {
		const message = 'You exceeded your current quota, please check your plan and billing details.';
		return openaiRefusal(429, message, 'insufficient_quota', 'insufficient_quota');
	},
};

const azure: Manner = {
	base: '/openai/v1',
	olderBase: /^\/openai\/deployments\/my-images(?=\/)/,
	keyHeader: 'api-key',
	models: ['my-images'],
	firstEvent: { choices: [], prompt_filter_results: [{ prompt_index: 0 }] },
	...gptImages((name) => {
		if (name !== 'my-images') {
			const message = 'The API deployment for this resource does not exist.';
			throw new Refusal(404, { error: { code: 'DeploymentNotFound', message } });
		}
		return 'gpt-image-2';
	}, 'contentFilter'),
	wrongKey: () => {
		const message = 'Access denied due to invalid subscription key or wrong API endpoint.';
		return new Refusal(401, { error: { code: '401', message } });
	},
	noMoney: () =>
		openaiRefusal(429, 'The spend limit is reached.', 'insufficient_quota', 'insufficient_quota'),
};

/** As FastAPI refuses it. */
function unprocessable(field: string, msg: string): Refusal {
	return new Refusal(422, { detail: [{ type: 'value_error', loc: ['body', field], msg }] });
}

function checkLocal(body: Body) {
	const allowed = ['model', 'prompt', 'n', 'size', 'response_format', 'quality', 'seed'];
	const stranger = Object.keys(body).find((name) => !allowed.includes(name));
	if (stranger !== undefined) {
		throw unprocessable(stranger, 'Extra inputs are not permitted');
	}
	const { prompt, size = '512x512', response_format: format } = body;
	const [, width = 0, height = 0] = (/^(\d+)x(\d+)$/.exec(String(size)) ?? []).map(Number);
	if (width < 64 || width % 8 !== 0 || height % 8 !== 0 || Math.max(width, height) > 2048) {
		throw unprocessable('size', 'must be WIDTHxHEIGHT in steps of 8');
	}
	if (format !== 'b64_json') {
		throw unprocessable('response_format', 'this server has no place for files');
	}
	if (typeof prompt !== 'string' || prompt === '') {
		throw unprocessable('prompt', 'Field required');
	}
	return { prompt, size: String(size), quality: undefined };
}

const local: Manner = {
	base: '/v1',
	keyHeader: 'authorization',
	isOpen: true,
	models: ['sd-cpp-local'],
	checkGeneration: (body) => ({ ...checkLocal(body), references: [] }),
	checkEdit: (form) => ({
		...checkLocal(readEdit(form, Infinity)),
		references: form.files.map(({ bytes }) => bytes),
	}),
	wrongKey: () => badRequest('This server asks for no key.'),
	noMoney: () => badRequest('This server takes no money.'),
};

export const manners = { standard, openai, azure, local } as const;
export type MannerName = keyof typeof manners;
