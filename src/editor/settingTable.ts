import * as z from 'zod';
import { defaultModel, qualities, sizes } from '../service/contract.js';

interface Setting<T> {
	/** `application`: no workspace can set it, and a value from one is ignored. */
	readonly scope: 'application' | 'resource' | 'window';
	readonly schema: z.ZodType<T>;
	readonly default: T;
}

function setting<T>(scope: Setting<T>['scope'], schema: z.ZodType<T>, value: T): Setting<T> {
	return { scope, schema, default: value };
}

/** Every setting below `easel.`. The manifest test holds `package.json` against it. */
export const settings = {
	'service.address': setting('application', z.string(), ''),
	'service.model': setting('application', z.string().min(1), defaultModel as string),
	'service.timeoutSeconds': setting('application', z.number().int().min(60).max(86_400), 900),
	'service.concurrency': setting('application', z.number().int().min(1).max(16), 2),
	'service.retry': setting('application', z.enum(['all', 'ask', 'never']), 'all'),
	'service.confirmCalls': setting(
		'application',
		z.enum(['oncePerSession', 'always', 'never']),
		'oncePerSession',
	),
	'service.confirmAbove': setting('application', z.number().int().min(0).max(1000), 10),
	'image.size': setting('resource', z.enum(sizes), '1024x1024'),
	'image.quality': setting('resource', z.enum(['unset', ...qualities]), 'unset'),
	'documents.selection': setting(
		'resource',
		z.enum(['afterParagraph', 'replace']),
		'afterParagraph',
	),
	'documents.altText': setting('resource', z.enum(['prompt', 'empty']), 'prompt'),
	'documents.markdownImage': setting('resource', z.enum(['markdown', 'html']), 'markdown'),
	'documents.imageWidth': setting('resource', z.number().int().min(16).max(10_000), 600),
	'documents.publicFolder': setting('resource', z.string(), ''),
	'edit.saveBeside': setting('resource', z.boolean(), true),
	'output.folder': setting('resource', z.string(), 'images'),
	'output.fileName': setting('resource', z.string().min(1), '${promptSlug}'),
	'style.file': setting('resource', z.string(), '.easel/style.md'),
	'output.provenance': setting('resource', z.enum(['inImage', 'besideImage', 'none']), 'inImage'),
	'output.afterSaving': setting('window', z.enum(['notify', 'open', 'nothing']), 'notify'),
	'notifications.system': setting('application', z.enum(['off', 'windowNotFocused']), 'off'),
} as const;

export type SettingKey = keyof typeof settings;

export type SettingValue<Key extends SettingKey> = z.infer<(typeof settings)[Key]['schema']>;
