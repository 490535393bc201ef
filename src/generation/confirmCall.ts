import { posix } from 'node:path';
import PQueue from 'p-queue';
import * as vscode from 'vscode';
import { EaselError } from '../easelError.js';
import { foreignText } from '../editor/foreignText.js';
import { choose } from '../editor/messages.js';
import { readServiceAddress } from '../editor/service.js';
import { readSetting } from '../editor/settings.js';
import { CallAllowance, mostCallsPerMinute, type ReasonToAsk } from './callAllowance.js';
import type { Order } from './order.js';
import type { ReadStyle } from './styleFile.js';
import type { Styles } from './styles.js';
import { labels, messages, phrases } from './messages.js';

/** Longest prompt in the question, in characters. */
const longestPrompt = 500;

const { allowForSession, generate } = labels;

/**
 * Asks before money is spent on what nobody has typed: calls with arguments come from key bindings,
 * links, tasks and other extensions, which cannot be told apart. `easel.service.confirmCalls` says
 * how often.
 */
export class CallConfirmation {
	readonly #allowance = new CallAllowance();
	/** One question at a time: its answer may allow what waits behind it. */
	readonly #questions = new PQueue({ concurrency: 1 });

	constructor(private readonly styles: Pick<Styles, 'look'>) {}

	/**
	 * Whether the orders may be sent, which are asked for together.
	 *
	 * @throws {SettingError}
	 */
	async allows(...orders: readonly [Order, ...Order[]]): Promise<boolean> {
		return this.#questions.add(() => this.#decide(orders));
	}

	async #decide(orders: readonly [Order, ...Order[]]): Promise<boolean> {
		const count = countOf(orders);
		const setting = readSetting('service.confirmCalls');
		const reason = this.#allowance.reasonToAsk(setting, count);
		if (reason !== undefined) {
			const offersSession = setting === 'oncePerSession' && reason === 'call';
			const answer = await ask(orders, reason, offersSession, await this.#styleOf(orders[0]));
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

	/** What is wrong with a guide is told before anything is sent, after this. */
	async #styleOf({ choices, context }: Order): Promise<ReadStyle | undefined> {
		const style = choices.withoutStyle
			? undefined
			: await this.styles.look(context.workspaceFolder);
		return style instanceof EaselError ? undefined : style;
	}
}

async function ask(
	orders: readonly [Order, ...Order[]],
	reason: ReasonToAsk,
	offersSession: boolean,
	style: ReadStyle | undefined,
): Promise<string | undefined> {
	const count = countOf(orders);
	const { references } = orders[0].choices;
	return choose(
		messages.generateQuestion(count, namesOf(references)),
		detailOf(orders, reason, style),
		generate,
		...(offersSession ? [allowForSession] : []),
	);
}

function countOf(orders: readonly Order[]): number {
	return orders.reduce((sum, { choices }) => sum + choices.count, 0);
}

function detailOf(
	orders: readonly [Order, ...Order[]],
	reason: ReasonToAsk,
	style: ReadStyle | undefined,
): string[] {
	const { choices, target } = orders[0];
	const { prompt, size, quality, references } = choices;
	const count = countOf(orders);
	const others = new Set(orders.map((order) => order.choices.prompt)).size - 1;
	const ofStyle = style?.references.map(({ uri }) => uri) ?? [];
	const isQualitySent = quality !== 'unset' && references.length + ofStyle.length === 0;
	const path = vscode.workspace.asRelativePath(
		vscode.Uri.joinPath(target.folder, `${target.stem}.png`),
	);
	const address = readServiceAddress();
	const host = address === undefined ? phrases.theService : new URL(address).host;
	return [
		phrases.promptLine(foreignText(prompt, longestPrompt), others),
		...(style === undefined
			? []
			: [phrases.styleLine(foreignText(style.path, 100), namesOf(ofStyle))]),
		phrases.sizeLine(size, isQualitySent ? quality : undefined),
		phrases.fileLine(foreignText(path), count),
		messages.costLine(count, host),
		'',
		reason === 'call' ? messages.requestedFromOutside : messages.tooManyAMinute(mostCallsPerMinute),
	];
}

function namesOf(references: readonly vscode.Uri[]): string[] {
	return references.map(({ path }) => foreignText(posix.basename(path), 60));
}
