import * as vscode from 'vscode';
import { posix } from 'node:path';
import { Serial } from '../files/serial.js';
import { EaselError } from '../easelError.js';
import { safeText } from '../editor/untrustedText.js';
import { choose } from '../editor/messages.js';
import { readServiceAddress, sentQuality } from '../editor/service.js';
import { readSetting } from '../editor/settings.js';
import { moneyOfRequests, moneyWords } from '../editor/money.js';
import { CallAllowance, maxCallsPerMinute, type ReasonToAsk } from './callAllowance.js';
import type { ImageRequest } from '../jobs/request.js';
import { parseUri } from '../editor/imageRequest.js';
import type { ReadStyle } from '../style/styleFile.js';
import type { Styles } from '../style/styles.js';
import { labels, messages, phrases } from '../messages.js';
import type { Preferences } from '../editor/preferences.js';
import { timeTogether } from '../editor/expectation.js';
import type { Size } from '../service/contract.js';
import type { PricedImage } from '../service/price.js';

/** Longest prompt in the question, in characters. */
const maxPromptLength = 500;

const { allowForSession, generate } = labels;

/**
 * Asks before money is spent on what the user has not typed, as often as
 * `easel.service.confirmCalls` says: calls of key bindings, links, tasks and other extensions look
 * the same.
 */
export class CallConfirmation {
	readonly #allowance = new CallAllowance();
	/** One question at a time: its answer may allow what waits behind it. */
	readonly #questions = new Serial();

	constructor(private readonly styles: Pick<Styles, 'look'>) {}

	/** Returns whether requests of one batch may be sent. @throws {SettingError} */
	async allows(requests: readonly ImageRequest[]): Promise<boolean> {
		return this.#questions.run(() => this.#decide(requests));
	}

	async #decide(requests: readonly ImageRequest[]): Promise<boolean> {
		const [first] = requests;
		if (first === undefined) {
			return true;
		}
		const count = requests.length;
		const setting = readSetting('service.confirmCalls');
		const reason = this.#allowance.reasonToAsk(setting, count);
		if (reason !== undefined) {
			const { references } = first;
			const answer = await choose(
				messages.generateQuestion(count, namesOf(references.map(({ source }) => source))),
				detailOf(first, requests, reason, await this.#styleOf(first)),
				generate,
				...(setting === 'oncePerSession' && reason === 'call' ? [allowForSession] : []),
			);
			if (answer === undefined) {
				return false;
			}
			if (answer === allowForSession) {
				this.#allowance.allowForSession();
			}
		}
		this.#allowance.count(count);
		return true;
	}

	/**
	 * Returns the style of a request; a problem of the guide is shown later, before anything is
	 * sent.
	 */
	async #styleOf(request: ImageRequest): Promise<ReadStyle | undefined> {
		const style = request.withoutStyle
			? undefined
			: await this.styles.look(parseUri(request.workspaceFolder));
		return style instanceof EaselError ? undefined : style;
	}
}

function detailOf(
	{ prompt, size, quality, references, target }: ImageRequest,
	requests: readonly ImageRequest[],
	reason: ReasonToAsk,
	style: ReadStyle | undefined,
): string[] {
	const count = requests.length;
	const others = new Set(requests.map((request) => request.prompt)).size - 1;
	const ofStyle = style?.references.map(({ uri }) => uri.toString()) ?? [];
	const path = vscode.workspace.asRelativePath(
		vscode.Uri.joinPath(vscode.Uri.parse(target.folder, true), `${target.stem}.png`),
	);
	const address = readServiceAddress();
	const host = address === undefined ? phrases.theService : new URL(address).host;
	return [
		phrases.promptLine(safeText(prompt, maxPromptLength), others),
		...(style === undefined
			? []
			: [phrases.styleLine(safeText(style.path, 100), namesOf(ofStyle))]),
		phrases.sizeLine(size, sentQuality(quality, references.length + ofStyle.length)),
		phrases.fileLine(safeText(path), count),
		messages.costLine(
			count,
			host,
			moneyWords(
				requests.map((one) => ({
					size: one.size,
					quality: sentQuality(one.quality, one.references.length + ofStyle.length),
				})),
			),
		),
		'',
		reason === 'call' ? messages.requestedFromOutside : messages.tooManyAMinute(maxCallsPerMinute),
	];
}

function namesOf(references: readonly string[]): string[] {
	return references.map((uri) => safeText(posix.basename(vscode.Uri.parse(uri, true).path), 60));
}

/**
 * Asks about more images at once than {@link maxUnasked} allows; returns whether they may be made.
 *
 * @throws {SettingError}
 */
export async function confirmMany(
	requests: readonly ImageRequest[],
	preferences: Preferences,
): Promise<boolean> {
	const { length } = requests;
	if (length <= maxUnasked()) {
		return true;
	}
	const time = messages.sendTime(length, timeOf(requests, preferences));
	const money = moneyOfRequests(requests);
	const send = labels.sendRequests(length);
	const detail = [
		messages.sendDetail(length),
		...(money === undefined ? [] : [messages.sendMoney(length, money)]),
		time,
	];
	return (await choose(messages.sendQuestion(length), detail, send)) === send;
}

/** Returns the number of images that may be asked for at once without a question. */
export function maxUnasked(): number {
	return readSetting('service.confirmCalls') === 'never' ? Infinity : 10;
}

/**
 * Returns the cost of images in money and time: `7 paid requests · about €0.28 · 8 to 12 minutes`.
 * Their quality is missing where none is sent.
 */
export function costOf(images: readonly CostlyImage[], preferences: Preferences): string {
	return phrases.requestsTime(images.length, moneyWords(images), timeOf(images, preferences));
}

export type CostlyImage = PricedImage & { readonly size: Size };

function timeOf(images: readonly { readonly size: Size }[], preferences: Preferences): string {
	const sizes = new Set(images.map(({ size }) => size));
	const known = new Map([...sizes].map((size) => [size, preferences.durations(size)]));
	return timeTogether(
		images.map(({ size }) => known.get(size) ?? []),
		readSetting('service.concurrency'),
	);
}
