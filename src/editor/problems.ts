import * as vscode from 'vscode';
import { registerHiddenCommand } from './commands.js';
import { problemCollection } from './providers.js';
import { safeText } from './untrustedText.js';

/** A problem in a document, as the editor shows it. */
export interface Problem {
	readonly range: vscode.Range;
	/** Shown as it is. */
	readonly text: string;
	/** The label of its quick fix, and what that does. */
	readonly fix: { readonly label: string; readonly run: () => Promise<void> };
}

/** The command that a quick fix runs. No menu has it, and it takes no more than a number. */
const runFix = '_easel.problem.fix';

/** Problems that stay until their text changes or their document closes, each with one quick fix. */
export class Problems implements vscode.Disposable {
	readonly #collection = problemCollection('easel');
	/** By the number that the diagnostic has for its code. */
	readonly #problems = new Map<number, Problem>();
	#count = 0;
	readonly #subscriptions = vscode.Disposable.from(
		this.#collection,
		registerHiddenCommand(runFix, (code) => this.#problems.get(Number(code))?.fix.run()),
		vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
			if (contentChanges.length > 0) {
				this.#keep(document.uri, ({ range }) =>
					contentChanges.every((change) => change.range.start.isAfter(range.end)),
				);
			}
		}),
		vscode.workspace.onDidCloseTextDocument(({ uri }) => {
			this.#keep(uri, () => false);
		}),
	);

	dispose(): void {
		this.#subscriptions.dispose();
	}

	/** Shows the problems of a part of a document, in place of those that were there. */
	show(document: vscode.Uri, part: vscode.Range, problems: readonly Problem[]): void {
		this.#keep(document, ({ range }) => range.intersection(part) === undefined);
		const added = problems.map((problem) => {
			const shown = new vscode.Diagnostic(
				problem.range,
				safeText(problem.text),
				vscode.DiagnosticSeverity.Warning,
			);
			this.#count += 1;
			shown.source = 'Easel';
			shown.code = this.#count;
			this.#problems.set(this.#count, problem);
			return shown;
		});
		this.#collection.set(document, [...(this.#collection.get(document) ?? []), ...added]);
	}

	/** The quick fixes of those of our problems that are among these. */
	fixes(diagnostics: readonly vscode.Diagnostic[]): vscode.CodeAction[] {
		return diagnostics.flatMap((diagnostic) => {
			const code = diagnostic.source === 'Easel' ? Number(diagnostic.code) : Number.NaN;
			const problem = this.#problems.get(code);
			if (problem === undefined) {
				return [];
			}
			const title = safeText(problem.fix.label);
			const action = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
			action.diagnostics = [diagnostic];
			action.isPreferred = true;
			action.command = { command: runFix, title, arguments: [code] };
			return [action];
		});
	}

	#keep(document: vscode.Uri, isKept: (diagnostic: vscode.Diagnostic) => boolean): void {
		const before = this.#collection.get(document) ?? [];
		const kept = before.filter(isKept);
		for (const { code } of before.filter((one) => !kept.includes(one))) {
			this.#problems.delete(Number(code));
		}
		if (kept.length < before.length) {
			this.#collection.set(document, kept);
		}
	}
}
