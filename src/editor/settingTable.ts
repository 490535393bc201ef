import * as z from 'zod';
import { parseExport } from '../images/exports/preset.js';
import { qualities, sizeSchema, type Size } from '../service/contract.js';
import { isPriceName } from '../service/price.js';
import { serviceIds } from '../service/services.js';
import { texts } from './texts.js';

interface Kind<T> {
	readonly schema: z.ZodType<T>;
	/** The same in words; to be put behind “must be”. */
	readonly words: string;
}

interface Setting<T> extends Kind<T> {
	/** `application`: no workspace can set it, and a value from one is ignored. */
	readonly scope: 'application' | 'resource' | 'window';
	readonly default: T;
}

function setting<T>(scope: Setting<T>['scope'], kind: Kind<T>, value: T): Setting<T> {
	return { scope, ...kind, default: value };
}

const text: Kind<string> = { schema: z.string(), words: texts.text };

const filledText: Kind<string> = {
	schema: z.string().min(1),
	words: texts.filledText,
};

const yesOrNo: Kind<boolean> = { schema: z.boolean(), words: texts.trueOrFalse };

/** Both ends are included. */
function wholeNumber(min: number, max: number): Kind<number> {
	return { schema: z.number().int().min(min).max(max), words: texts.wholeNumber(min, max) };
}

function oneOf<const T extends string>(...values: readonly T[]): Kind<T> {
	return { schema: z.enum(values), words: texts.oneOf(values) };
}

const size: Kind<Size> = { schema: sizeSchema, words: texts.size };

const presets: Kind<Readonly<Record<string, string>>> = {
	schema: z.record(z.string(), z.string()).superRefine((value, context) => {
		for (const [name, words] of Object.entries(value)) {
			if (parseExport(words) === undefined) {
				context.addIssue({ code: 'custom', message: texts.badPreset(name) });
			}
		}
	}),
	words: texts.presets,
};

const price: Kind<Readonly<Record<string, unknown>> | null> = {
	schema: z
		.record(z.string(), z.unknown())
		.nullable()
		.superRefine((value, context) => {
			const message = value === null ? undefined : priceProblem(value);
			if (message !== undefined) {
				context.addIssue({ code: 'custom', message });
			}
		}),
	words: texts.price,
};

function priceProblem({ currency, ...prices }: Readonly<Record<string, unknown>>) {
	if (typeof currency !== 'string') {
		return texts.noCurrency;
	}
	if (!Intl.supportedValuesOf('currency').includes(currency)) {
		return texts.unknownCurrency(currency);
	}
	const all = Object.entries(prices);
	const [unknown] = all.find(([name]) => !isPriceName(name)) ?? [];
	const [wrong] = all.find(([, amount]) => !isAmount(amount)) ?? [];
	return unknown !== undefined
		? texts.unknownPrice(unknown)
		: wrong !== undefined
			? texts.notAPrice(wrong)
			: all.length === 0
				? texts.noPrice
				: undefined;
}

function isAmount(value: unknown): boolean {
	return typeof value === 'number' && Number.isFinite(value) && value >= 0;
}

/** Every setting below `easel.`. The manifest test holds `package.json` against it. */
export const settings = {
	'service.address': setting('application', text, ''),
	'service.type': setting('application', oneOf('auto', ...serviceIds), 'auto'),
	'service.model': setting('application', text, ''),
	'service.timeoutSeconds': setting('application', wholeNumber(60, 86_400), 900),
	'service.concurrency': setting('application', wholeNumber(1, 16), 2),
	'service.retry': setting('application', oneOf('all', 'ask', 'never'), 'all'),
	'service.confirmCalls': setting(
		'application',
		oneOf('oncePerSession', 'always', 'never'),
		'oncePerSession',
	),
	'budget.imagesPerDay': setting('application', wholeNumber(0, 10_000), 0),
	'budget.price': setting('application', price, null),
	'words.provider': setting(
		'application',
		oneOf('auto', 'editor', 'chat', 'messages', 'off'),
		'auto',
	),
	'words.model': setting('application', text, ''),
	'words.checkAfterGenerating': setting('application', yesOrNo, false),
	'image.size': setting<Size>('resource', size, '1024x1024'),
	'image.quality': setting('resource', oneOf('unset', ...qualities), 'unset'),
	'documents.altText': setting('resource', oneOf('prompt', 'caption', 'empty'), 'prompt'),
	'documents.imageWidth': setting('resource', wholeNumber(0, 10_000), 0),
	'documents.publicFolder': setting('resource', text, ''),
	'check.onOpen': setting('resource', yesOrNo, true),
	'output.folder': setting('resource', text, 'images'),
	'output.fileName': setting('resource', filledText, '${promptSlug}'),
	'style.file': setting('resource', text, '.easel/style.md'),
	'output.provenance': setting('resource', oneOf('inImage', 'besideImage', 'none'), 'inImage'),
	'output.publish': setting('resource', text, ''),
	'output.masters': setting('resource', filledText, 'images/originals'),
	'export.presets': setting('resource', presets, {}),
	'output.afterSaving': setting(
		'window',
		oneOf('notify', 'notifySystem', 'open', 'nothing'),
		'notify',
	),
	'notifications.progress': setting(
		'application',
		oneOf('notification', 'statusBar'),
		'notification',
	),
} as const;

export type SettingKey = keyof typeof settings;

export type SettingValue<Key extends SettingKey> = z.infer<(typeof settings)[Key]['schema']>;
