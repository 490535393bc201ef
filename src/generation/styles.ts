import PQueue from 'p-queue';
import * as vscode from 'vscode';
import * as z from 'zod';
import { EaselError } from '../easelError.js';
import { effectivePrompt } from '../recipes/applyStyle.js';
import type { Size } from '../service/contract.js';
import { askConsent, askWithoutUnusable, type ReasonToShow } from './styleQuestions.js';
import type { ImageRequest } from '../jobs/request.js';
import { parseUri } from './draft.js';
import type { RequestPreview } from './requestPreview.js';
import { readStyle, styleFileOf, type ReadStyle } from './styleFile.js';
import { runDetached } from '../editor/messages.js';

/** So many guides of a workspace folder are known to have been used, the last ones. */
const maxUsedGuides = 30;
const stateKey = 'styles.used';
const stateSchema = z.record(z.string(), z.array(z.string())).catch({});

/** What images of a folder get: its style, or none because there is none, or one was left out. */
type Decision = ReadStyle | 'none' | 'leftOut';

/**
 * The style guides of the workspace folders, and which of them this user has agreed to: a repository
 * brings its guide along, and what it says goes with every prompt.
 */
export class Styles implements vscode.Disposable {
	readonly #changed = new vscode.EventEmitter<void>();
	#watching: vscode.Disposable | undefined;
	/** What was agreed to in this window alone, because its workspace is not trusted. */
	readonly #agreed = new Set<string>();
	/** One question at a time: its answer may be that of the next one. */
	readonly #questions = new PQueue({ concurrency: 1 });

	/** @param state of this workspace */
	constructor(
		private readonly state: vscode.Memento,
		readonly preview: RequestPreview,
	) {}

	/** A guide has changed, come or gone, or another one counts; watched from the first listener on. */
	readonly onDidChange: vscode.Event<void> = (...listener) => {
		this.#watching ??= watchGuides(() => this.#changed.fire());
		return this.#changed.event(...listener);
	};

	dispose(): void {
		this.#changed.dispose();
		this.#watching?.dispose();
	}

	/**
	 * Returns the requests with the style of their workspace folders. A guide that this user has not
	 * used as it is now is asked about, one that cannot be used is shown; requests that have a style
	 * keep it.
	 *
	 * @returns `undefined` where nothing is to be sent
	 */
	async apply(requests: readonly ImageRequest[]): Promise<readonly ImageRequest[] | undefined> {
		return this.#questions.add(() => this.#apply(requests));
	}

	/** The style of a folder as it is now, or why it cannot be used. */
	async look(folder: vscode.Uri | undefined): Promise<ReadStyle | EaselError | undefined> {
		try {
			return folder && (await readStyle(folder));
		} catch (error) {
			if (error instanceof EaselError) {
				return error;
			}
			throw error;
		}
	}

	/**
	 * What images of a folder are offered in, where its style says that. A guide of a workspace that is
	 * not trusted steers nothing before the user has agreed to it.
	 */
	async sizeFor(folder: vscode.Uri | undefined): Promise<Size | undefined> {
		const style = await this.look(folder);
		return folder === undefined || style === undefined || style instanceof EaselError
			? undefined
			: vscode.workspace.isTrusted || this.#isAgreed(folder, style)
				? style.size
				: undefined;
	}

	async #apply(requests: readonly ImageRequest[]): Promise<readonly ImageRequest[] | undefined> {
		const decisions = new Map<string | undefined, Decision>();
		const open = requests.filter(({ style, withoutStyle }) => style === undefined && !withoutStyle);
		for (const [folder, alike] of Map.groupBy(open, ({ workspaceFolder }) => workspaceFolder)) {
			const decision = await this.#decide(alike);
			if (decision === undefined) {
				return undefined;
			}
			decisions.set(folder, decision);
		}
		return requests.map((request) =>
			open.includes(request)
				? withStyle(request, decisions.get(request.workspaceFolder) ?? 'none')
				: request,
		);
	}

	/** @param requests of the same folder */
	async #decide(requests: readonly ImageRequest[]): Promise<Decision | undefined> {
		const folder = parseUri(requests[0]?.workspaceFolder);
		const style = await this.look(folder);
		if (folder === undefined || style === undefined) {
			return 'none';
		}
		if (style instanceof EaselError) {
			return (await askWithoutUnusable(style)) ? 'leftOut' : undefined;
		}
		const reason = this.#reasonToShow(folder, style);
		const answer =
			reason === undefined ? 'use' : await askConsent(style, reason, requests, this.preview);
		if (answer === 'use') {
			await this.#agree(folder, style);
		}
		return answer === 'use' ? style : answer;
	}

	#reasonToShow(folder: vscode.Uri, style: ReadStyle): ReasonToShow | undefined {
		return this.#isAgreed(folder, style)
			? undefined
			: !vscode.workspace.isTrusted
				? 'untrusted'
				: this.#used(folder).length === 0
					? 'first'
					: 'changed';
	}

	#isAgreed(folder: vscode.Uri, { sha256 }: ReadStyle): boolean {
		return vscode.workspace.isTrusted
			? this.#used(folder).includes(sha256)
			: this.#agreed.has(`${sha256} ${folder.toString()}`);
	}

	async #agree(folder: vscode.Uri, { sha256 }: ReadStyle): Promise<void> {
		if (!vscode.workspace.isTrusted) {
			this.#agreed.add(`${sha256} ${folder.toString()}`);
			return;
		}
		const used = this.#used(folder);
		if (used[0] !== sha256) {
			const others = used.filter((one) => one !== sha256);
			await this.state.update(stateKey, {
				...stateSchema.parse(this.state.get(stateKey)),
				[folder.toString()]: [sha256, ...others].slice(0, maxUsedGuides),
			});
		}
	}

	/** The guides that were used for images of a folder, the last one first. */
	#used(folder: vscode.Uri): readonly string[] {
		return stateSchema.parse(this.state.get(stateKey))[folder.toString()] ?? [];
	}
}

function withStyle(request: ImageRequest, decision: Decision): ImageRequest {
	if (decision === 'none') {
		return request;
	}
	if (decision === 'leftOut') {
		return { ...request, withoutStyle: true };
	}
	const { path, sha256, text, references } = decision;
	const effective = effectivePrompt(request.prompt, text, references.length);
	return {
		...request,
		effectivePrompt: effective === request.prompt ? undefined : effective,
		style: { path, sha256, references: references.map((one) => one.sha256) },
		references: [...request.references, ...references.map(({ uri }) => ({ source: String(uri) }))],
	};
}

/** Watches the style guides of the workspace folders, also those that other settings name later. */
function watchGuides(changed: () => void): vscode.Disposable {
	let watchers = vscode.Disposable.from();
	const watchAll = async () => {
		const folders = vscode.workspace.workspaceFolders ?? [];
		const guides = await Promise.all(
			// What is wrong with the setting is shown when an image is requested.
			folders.map(({ uri }) => styleFileOf(uri).catch(() => undefined)),
		);
		watchers.dispose();
		watchers = vscode.Disposable.from(
			...guides.flatMap((guide) => (guide ? watch(guide, changed) : [])),
		);
	};
	const again = () => {
		runDetached(watchAll());
		changed();
	};
	runDetached(watchAll());
	return vscode.Disposable.from(
		new vscode.Disposable(() => {
			watchers.dispose();
		}),
		vscode.workspace.onDidChangeWorkspaceFolders(again),
		vscode.workspace.onDidGrantWorkspaceTrust(again),
		vscode.workspace.onDidChangeConfiguration((event) => {
			if (event.affectsConfiguration('easel.style')) {
				again();
			}
		}),
	);
}

/** Watches all of its folder, because its name may be a pattern to VS Code. */
function watch(guide: vscode.Uri, changed: () => void): vscode.Disposable[] {
	const folder = vscode.Uri.joinPath(guide, '..');
	const watcher = vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(folder, '*'));
	const events = [watcher.onDidChange, watcher.onDidCreate, watcher.onDidDelete];
	const changedIf = ({ path }: vscode.Uri) => (path === guide.path ? changed() : undefined);
	return [watcher, ...events.map((event) => event(changedIf))];
}
