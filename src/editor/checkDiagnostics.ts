import * as vscode from 'vscode';
import type { Finding } from '../documents/check/finding.js';
import type { RuleId } from '../documents/check/rules.js';
import { languages } from '../documents/languages.js';
import { imageNamePattern } from '../images/fileName.js';
import { DocumentReader } from '../documents/reading/reader.js';
import { decorativeEdit } from './altEdit.js';
import { readCheckSettings } from './checkSettings.js';
import { readerScript } from './documentReader.js';
import { documentsOf, languageOf } from './nearImage.js';
import { rawSetting } from './rawSetting.js';
import { texts } from './texts.js';
import { problemCollection, provideCodeActions } from './providers.js';
import { safeText } from './untrustedText.js';

/** Rules that are applied to documents that are open. */
const rules: readonly RuleId[] = ['alt-missing', 'alt-generic', 'image-case'];

/** Time without a change after which a document is checked again, in milliseconds. */
const pauseMs = 500;

const severities = {
	off: vscode.DiagnosticSeverity.Hint,
	hint: vscode.DiagnosticSeverity.Hint,
	warning: vscode.DiagnosticSeverity.Warning,
	error: vscode.DiagnosticSeverity.Error,
} as const;

/** Shows what the check finds in documents that are open, with quick fixes; a worker reads them. */
export function showCheckDiagnostics(): vscode.Disposable {
	const collection = problemCollection('easel-check');
	const reader = new DocumentReader(readerScript());
	const waiting = new Map<string, NodeJS.Timeout>();
	const findings = new WeakMap<vscode.Diagnostic, Finding>();

	const check = async (document: vscode.TextDocument) => {
		const { uri, version } = document;
		// From here on a change asks for another check, which this one must not write over.
		known.set(uri.toString(), known.get(uri.toString()) ?? []);
		const found = await findingsIn(document, reader).catch(() => []);
		if (document.isClosed || document.version !== version) {
			return;
		}
		const shown = found.map((finding) => {
			const range = new vscode.Range(
				document.positionAt(finding.span.start),
				document.positionAt(finding.span.end),
			);
			const severity = severities[finding.severity];
			const diagnostic = new vscode.Diagnostic(range, safeText(finding.message), severity);
			diagnostic.source = 'Easel';
			diagnostic.code = finding.rule;
			findings.set(diagnostic, finding);
			return diagnostic;
		});
		collection.set(uri, shown);
		known.set(uri.toString(), shown);
	};
	const known = new Map<string, readonly vscode.Diagnostic[]>();
	const soon = (document: vscode.TextDocument) => {
		const key = document.uri.toString();
		clearTimeout(waiting.get(key));
		waiting.set(
			key,
			setTimeout(() => {
				waiting.delete(key);
				check(document).catch(() => undefined);
			}, pauseMs),
		);
	};
	const forget = ({ uri }: vscode.TextDocument) => {
		clearTimeout(waiting.get(uri.toString()));
		waiting.delete(uri.toString());
		known.delete(uri.toString());
		collection.delete(uri);
	};
	const lookAtAll = () => {
		vscode.window.visibleTextEditors.forEach(({ document }) => soon(document));
	};
	lookAtAll();
	return vscode.Disposable.from(
		collection,
		{ dispose: () => reader.dispose().catch(() => undefined) },
		{ dispose: () => waiting.forEach((timer) => clearTimeout(timer)) },
		vscode.window.onDidChangeVisibleTextEditors(lookAtAll),
		vscode.workspace.onDidChangeTextDocument(({ document }) => {
			if (known.has(document.uri.toString())) {
				soon(document);
			}
		}),
		vscode.workspace.onDidCloseTextDocument(forget),
		vscode.workspace.onDidChangeConfiguration((event) => {
			if (event.affectsConfiguration('easel.check')) {
				lookAtAll();
			}
		}),
		provideCodeActions(documentsOf(languages), vscode.CodeActionKind.QuickFix, (document, range) =>
			Promise.resolve(
				(known.get(document.uri.toString()) ?? [])
					.filter((one) => one.range.intersection(range as vscode.Range) !== undefined)
					.flatMap((one) => actionsFor(document, one, findings.get(one))),
			),
		),
	);
}

async function findingsIn(
	document: vscode.TextDocument,
	reader: DocumentReader,
): Promise<readonly Finding[]> {
	const { uri } = document;
	const text = document.getText();
	const isOn = rawSetting('check.onOpen', true, false, uri) === true;
	if (
		!isOn ||
		uri.scheme !== 'file' ||
		vscode.languages.match(documentsOf(languages), document) === 0
	) {
		return [];
	}
	const folder = vscode.workspace.getWorkspaceFolder(uri)?.uri;
	const { settings, isOwn } = await readCheckSettings(folder, () => undefined);
	const severityOf = (rule: RuleId) =>
		!rules.includes(rule) || settings.rules[rule] === 'off'
			? 'off'
			: isOwn
				? settings.rules[rule]
				: 'hint';
	const chosen = Object.fromEntries(
		Object.keys(settings.rules).map((rule) => [rule, severityOf(rule as RuleId)]),
	);
	const publicFolder = rawSetting('documents.publicFolder', '', false, uri);
	const { findings } = await reader.read('check', {
		...{ text, language: languageOf(document), document: uri.fsPath },
		workspaceFolder: folder?.fsPath,
		publicFolder: settings.publicFolder ?? (typeof publicFolder === 'string' ? publicFolder : ''),
		settings: { ...settings, rules: chosen as typeof settings.rules },
	});
	return findings;
}

function actionsFor(
	document: vscode.TextDocument,
	diagnostic: vscode.Diagnostic,
	finding: Finding | undefined,
): vscode.CodeAction[] {
	if (finding === undefined) {
		return [];
	}
	const newAction = (title: string) => {
		const action = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
		action.diagnostics = [diagnostic];
		return action;
	};
	const withEdit = (title: string, edit: vscode.TextEdit | undefined) => {
		const action = newAction(title);
		action.edit = new vscode.WorkspaceEdit();
		action.edit.set(document.uri, edit === undefined ? [] : [edit]);
		return edit === undefined ? [] : [action];
	};
	const { fix, image } = finding;
	if (finding.rule === 'image-case') {
		const [start, end] = [fix?.start ?? 0, fix?.end ?? 0].map((one) => document.positionAt(one));
		const range = new vscode.Range(start!, end!);
		return withEdit(texts.correctCase, fix && vscode.TextEdit.replace(range, fix.newText));
	}
	const propose = newAction(texts.proposeAlt);
	propose.command = {
		command: 'easel.proposeAltText',
		title: texts.proposeAlt,
		arguments: image === undefined ? [] : [vscode.Uri.file(image)],
	};
	const canPropose =
		image !== undefined &&
		imageNamePattern.test(image) &&
		rawSetting('words.provider', 'off', true, undefined) !== 'off';
	return [
		...(canPropose ? [propose] : []),
		...withEdit(texts.markDecorative, decorativeEdit(document, finding)),
	];
}
