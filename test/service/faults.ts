import { z } from 'zod';
import { editManners } from './editedPicture.js';
import { badRequest } from './refusal.js';
import type { Protocol } from './languageModel.js';
import type { Endpoint } from './requests.js';

const count = z.number().int().min(1);
const milliseconds = z.number().int().min(0).max(3_600_000);
const header = z.string().regex(/^[\x20-\x7e]+$/, 'must be printable ASCII');

/** One fault: what goes wrong, and for which requests. A fault needs at least one effect. */
export const faultSchema = z
	.strictObject({
		/** For how many requests; without it, for all of them. */
		times: count.optional(),
		endpoint: z.enum(['generations', 'edits', 'chat', 'messages']).optional(),
		/** For requests whose prompt contains this. */
		prompt: z.string().min(1).optional(),

		/** Answers with this status instead of an image. */
		status: z.number().int().min(200).max(599).optional(),
		/** `Retry-After` of that answer: seconds, an HTTP date, or nonsense. */
		retryAfter: z.union([z.number().int().min(0), header]).optional(),
		/** Form of that answer: `flat` is the top-level `message`, the default for 402. */
		body: z.enum(['json', 'flat', 'html', 'text', 'empty']).optional(),
		/** Text of that answer; with the body `text` it is all of it. */
		message: z.string().optional(),
		/** Reason in the status line of that answer. */
		reason: header.optional(),

		/** Headers of the answer, of any kind; one of the service's own is replaced. */
		headers: z.record(z.string().regex(/^[\w-]+$/), header).optional(),

		/** Cuts the connection, before the headers or about half-way through the body. */
		cut: z.enum(['headers', 'body']).optional(),

		/** Answers 200 with something that is no image. */
		answer: z.enum(['broken-base64', 'text-image', 'endless']).optional(),

		/**
		 * Keeps the request until it is released or the client leaves: true without an answer, `body`
		 * about half-way through the answer, `request` before its own body is read. The last stands
		 * alone and in no prompt, which is read later; that the client left may show at the release only.
		 */
		hold: z.union([z.boolean(), z.enum(['request', 'body'])]).optional(),
		/** Adds this many milliseconds to the latency. */
		delay: milliseconds.optional(),
		/** Sends the body in pieces of this many bytes … */
		chunkSize: count.optional(),
		/** … with this many milliseconds between them. */
		chunkPause: milliseconds.optional(),

		/** Puts a data URI's prefix before the base64. */
		dataUri: z.boolean().optional(),
		/** Adds undeclared fields, nested ones and misleading ones too, around the declared ones. */
		extraFields: z.boolean().optional(),
		revisedPrompt: z.string().optional(),
		/** Draws other pixels than asked, for example `800x600`. */
		dimensions: z
			.string()
			.regex(/^[1-9]\d{0,3}x[1-9]\d{0,3}$/, 'must be <width>x<height>')
			.optional(),
		/** Draws the first reference image again, as a model edits it. */
		edit: z.enum(editManners).optional(),
		/**
		 * Draws a picture of about 0.1 MB, for a test to which its size means nothing; false draws
		 * one of a real size where the service makes small ones.
		 */
		small: z.boolean().optional(),
		/**
		 * Makes the PNG file this long, by noise that decoders skip; a picture that would be longer is
		 * drawn small, and one that is longer even so stays as it is.
		 */
		bytes: count.max(512 * 1024 * 1024).optional(),

		/** Gives a picture this format, although nothing asks for it. */
		format: z.enum(['jpeg', 'webp']).optional(),
		/** Gives the address of the picture instead of its bytes, where it is there for a GET, or this one. */
		link: z.union([z.boolean(), z.url()]).optional(),
		/** Signs the PNG file: it has a chunk `caBX`, whose content is no credential. */
		signed: z.boolean().optional(),

		/** True where an image is made and charged; by default where the answer starts with 200. */
		charge: z.boolean().optional(),
	})
	.superRefine((fault, context) => {
		const complain = (path: keyof Fault, message: string): void =>
			context.addIssue({ code: 'custom', path: [path], message });
		const outcomes = (['status', 'cut', 'answer'] as const).filter(
			(key) => fault[key] !== undefined,
		);
		if (outcomes.length > 1) {
			complain(outcomes[1]!, `must not stand beside ${outcomes[0]}`);
		}
		for (const key of ['retryAfter', 'body', 'message', 'reason'] as const) {
			if (fault[key] !== undefined && fault.status === undefined) {
				complain(key, 'needs a status');
			}
		}
		if (fault.chunkPause !== undefined && fault.chunkSize === undefined) {
			complain('chunkPause', 'needs a chunkSize');
		}
		if (fault.hold === 'request') {
			const beside = [...effectsOf(fault), ...(fault.prompt === undefined ? [] : ['prompt'])];
			if (beside.length > 1) {
				complain('hold', 'must stand alone where it is "request"');
			}
		}
		if (!effectsOf(fault).some((key) => key !== 'charge')) {
			context.addIssue({ code: 'custom', message: 'the fault has no effect' });
		}
	});

export type Fault = z.infer<typeof faultSchema>;

/** The effects on one request: those of all faults that meet it. */
export type Effects = Omit<Fault, 'times' | 'endpoint' | 'prompt'>;

/** Faults switched on by a test; those in prompts come on top of them. */
export interface FaultControl {
	/** @throws {z.ZodError} naming the field, where a fault is malformed; then none is added */
	add(...faults: readonly Fault[]): void;
	/** Switches all faults off and forgets how often those in prompts happened. */
	clear(): void;
}

const conditions: readonly string[] = ['times', 'endpoint', 'prompt'];
const pictureEffects: readonly (keyof Fault)[] = [
	'dataUri',
	'extraFields',
	'revisedPrompt',
	'dimensions',
	'small',
	'bytes',
	'signed',
	'format',
	'link',
];

export class FaultBox implements FaultControl {
	private standing: { fault: Fault; left: number | undefined }[] = [];
	private readonly usedInPrompts = new Map<string, number>();

	add(...faults: readonly Fault[]): void {
		const checked = faults.map((fault) => faultSchema.parse(fault));
		this.standing.push(...checked.map((fault) => ({ fault, left: fault.times })));
	}

	clear(): void {
		this.standing = [];
		this.usedInPrompts.clear();
	}

	/** True where a request is held before its body is read; that counts for the fault's `times`. */
	takeHeldRequest(endpoint: Endpoint): boolean {
		const found = this.standing.find(
			({ fault, left }) =>
				fault.hold === 'request' && left !== 0 && (fault.endpoint ?? endpoint) === endpoint,
		);
		if (found?.left !== undefined) {
			found.left--;
		}
		return found !== undefined;
	}

	/**
	 * The effects for one request. Faults are met in their order, those of the prompt last; a fault
	 * whose effect another one has taken waits for a later request and keeps its `times`. So
	 * `503 twice` and `429 once` happen one after the other, and `delay` happens beside both.
	 *
	 * @throws {Refusal} 400 where a directive in the prompt is malformed
	 */
	take(endpoint: Endpoint | Protocol, prompt: string): Effects {
		const candidates = [
			...this.standing.map((standing) => ({
				fault: standing.fault,
				left: standing.left ?? Infinity,
				use: () => void (standing.left !== undefined && standing.left--),
			})),
			...readDirectives(prompt).map((fault, index) => {
				const key = `${index} ${prompt}`;
				const used = this.usedInPrompts.get(key) ?? 0;
				const left = (fault.times ?? Infinity) - used;
				return { fault, left, use: () => void this.usedInPrompts.set(key, used + 1) };
			}),
		].filter(
			({ fault, left }) =>
				left > 0 &&
				fault.hold !== 'request' &&
				(fault.endpoint ?? endpoint) === endpoint &&
				prompt.includes(fault.prompt ?? ''),
		);
		const effects: Effects = {};
		// The outcome first: what shapes a picture waits where the outcome has none.
		const decided = candidates.filter(({ fault }) => hasOutcome(fault));
		for (const { fault, use } of [
			...decided,
			...candidates.filter((one) => !decided.includes(one)),
		]) {
			const keys = effectsOf(fault);
			const taken =
				keys.some((key) => key in effects) ||
				(hasOutcome(fault) && hasOutcome(effects)) ||
				(!hasPicture(effects) && keys.every((key) => pictureEffects.includes(key)));
			if (!taken) {
				use();
				Object.assign(effects, Object.fromEntries(keys.map((key) => [key, fault[key]])));
			}
		}
		return effects;
	}
}

/** Returns whether these effects leave a picture in the answer. */
export function hasPicture({ status, cut }: Effects): boolean {
	return status === undefined && cut !== 'headers';
}

/** The prompt without its directives: what is drawn. */
export function withoutDirectives(prompt: string): string {
	return prompt.replace(directive, ' ').replace(/\s+/gu, ' ').trim();
}

const directive = /\[fault\b((?:"[^"]*"|[^\]"])*)\]/g;
const setting = /\s*([a-z0-9-]+)(?:=(?:"([^"]*)"|([^\s"]+)))?(?=\s|$)/gy;

/**
 * The faults in a prompt, for example `[fault status=503 times=2 retry-after=4]`. Names are those
 * of the schema with dashes; a name alone means true; quotes keep blanks and digits as text.
 *
 * @throws {Refusal} 400 naming the setting
 */
export function readDirectives(prompt: string): Fault[] {
	return [...prompt.matchAll(directive)].map(([whole, inside]) => {
		const parsed = faultSchema.safeParse(readSettings(inside!.trim(), whole));
		if (!parsed.success) {
			throw badRequest(`prompt: ${whole} is no fault: ${z.prettifyError(parsed.error)}`);
		}
		if (parsed.data.hold === 'request') {
			throw badRequest(`prompt: ${whole} comes too late: the request has been read.`);
		}
		return parsed.data;
	});
}

function readSettings(text: string, whole: string): Record<string, unknown> {
	const settings: Record<string, unknown> = {};
	let end = 0;
	for (const [found, name, quoted, bare] of text.matchAll(setting)) {
		end += found.length;
		const key = name!.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
		settings[key] = quoted ?? plainValue(bare);
	}
	if (end !== text.length) {
		throw badRequest(`prompt: ${whole} is no fault: "${text.slice(end)}" is no setting`);
	}
	return settings;
}

function plainValue(text = 'true'): unknown {
	if (text === 'true' || text === 'false') {
		return text === 'true';
	}
	return /^\d+$/.test(text) ? Number(text) : text;
}

function effectsOf(fault: Fault): (keyof Effects)[] {
	const keys = Object.keys(fault) as (keyof Fault)[];
	return keys.filter((key) => !conditions.includes(key) && fault[key] !== undefined) as never;
}

function hasOutcome({ status, cut, answer }: Effects): boolean {
	return (status ?? cut ?? answer) !== undefined;
}
