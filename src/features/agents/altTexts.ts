import * as vscode from 'vscode';
import type { Finding } from '../../documents/check/finding.js';
import { defaultSettings, type CheckSettings } from '../../documents/check/rules.js';
import { altEdit } from '../../editor/altEdit.js';
import { checkFolders } from '../../editor/checkFolders.js';
import { documentReader } from '../../editor/documentReader.js';
import { runDetached } from '../../editor/messages.js';
import { languageOf } from '../../editor/nearImage.js';
import { shortened } from '../../editor/untrustedText.js';
import {
	maxAnswerMs,
	type AgentAnswer,
	type AgentArguments,
	type AgentFinding,
} from '../../protocol/agents.js';
import type { Services } from '../../services.js';
import { agentMessages, checkMessages } from '../messages.js';
import { AnswerPage } from './images.js';
import { AgentError, pathFor, placeOfText } from './paths.js';

/** Time for a check, in milliseconds. */
const maxCheckMs = maxAnswerMs - 5000;
/** Length of a text of an entry, in UTF-16 code units. */
const maxTextLength = 300;
/** Number of mistakes in settings that an answer has. */
const maxMistakes = 5;

/** Lists what the check finds below a folder, or in the whole workspace. */
export async function checkImages(
	{ folder, rule, from = 0 }: AgentArguments<'check_images'>,
	{ history: gallery }: Pick<Services, 'history'>,
	base?: vscode.Uri,
): Promise<AgentAnswer> {
	const roots =
		folder === undefined
			? (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri)
			: [placeOfText(folder)];
	if (roots.length === 0) {
		throw new AgentError(agentMessages.noFolder);
	}
	if (roots.some(({ scheme }) => scheme !== 'file')) {
		throw new AgentError(checkMessages.needsLocalFolder);
	}
	const signal = AbortSignal.timeout(maxCheckMs);
	const mistakes: string[] = [];
	const { findings, problems, complete } = await checkFolders(roots, {
		gallery,
		signal,
		onBadSettings: (problem) =>
			mistakes.push(shortened(checkMessages.badSettings(problem), maxTextLength)),
	}).catch((error: unknown) => {
		throw signal.aborted ? new AgentError(agentMessages.checkTakesLong) : error;
	});
	const all = findings.filter((one) => rule === undefined || one.rule === rule);
	const page = new AnswerPage<AgentFinding>();
	for (const finding of all.slice(from)) {
		if (!page.takes(agentFinding(finding, base))) {
			break;
		}
	}
	const end = from + page.entries.length;
	const isWhole = end >= all.length;
	const notes = [
		...(isWhole ? [] : [agentMessages.listed(from + 1, end, all.length)]),
		...(problems.length > 0 ? [checkMessages.unreadableFiles(problems.length)] : []),
		...(complete ? [] : [checkMessages.incomplete]),
		...(rule === 'words' ? [agentMessages.wordsNeedUser] : []),
		...mistakes.slice(0, maxMistakes),
	];
	return {
		result: {
			findings: page.entries,
			...(isWhole ? {} : { next: end }),
			...(notes.length > 0 && { note: notes.join(' ') }),
		},
	};
}

function agentFinding(
	{ document, lines, rule, destination, image, caption }: Finding,
	base?: vscode.Uri,
): AgentFinding {
	const file = image === undefined ? undefined : pathFor(vscode.Uri.file(image), base);
	return {
		document: pathFor(vscode.Uri.file(document), base),
		line: lines.line,
		rule,
		image: shortened(file ?? destination, maxTextLength),
		...(caption !== undefined && { caption: shortened(caption, maxTextLength) }),
	};
}

/** With a limit of 0, each image that has a text is found as well. */
const everyImage: CheckSettings = {
	...defaultSettings,
	rules: {
		...{ 'alt-missing': 'hint', 'alt-generic': 'hint', 'alt-long': 'hint', 'alt-duplicate': 'off' },
		...{ 'image-missing': 'off', 'image-case': 'off', 'image-weight': 'off' },
		...{ 'image-dimensions': 'off', 'image-format': 'off' },
		...{ recipe: 'off', style: 'off', words: 'off' },
	},
	maxAltLength: 0,
};

/** Shows alt texts for images of a document in the editor's preview, where the user applies them. */
export async function setAltTexts({
	document: text,
	texts,
}: AgentArguments<'set_alt_text'>): Promise<AgentAnswer> {
	const uri = placeOfText(text);
	const document = await vscode.workspace.openTextDocument(uri);
	const { findings } = await documentReader().read('check', {
		...{ text: document.getText(), language: languageOf(document), document: uri.fsPath },
		workspaceFolder: vscode.workspace.getWorkspaceFolder(uri)?.uri.fsPath,
		settings: everyImage,
	});
	const edit = new vscode.WorkspaceEdit();
	const used = new Set<Finding>();
	for (const { line, text: alt } of texts) {
		const finding = findings.find((one) => one.lines.line === line && !used.has(one));
		const found =
			finding && altEdit(document, { link: finding.link, start: finding.linkStart }, alt);
		if (finding === undefined || found === undefined) {
			throw new AgentError(agentMessages.noImageAtLine(line));
		}
		used.add(finding);
		edit.replace(uri, found.range, found.newText, {
			needsConfirmation: true,
			label: agentMessages.altTexts,
		});
	}
	// The user decides in their own time.
	runDetached(Promise.resolve(vscode.workspace.applyEdit(edit, { isRefactoring: true })));
	return { result: { note: agentMessages.altTextsShown(texts.length) } };
}
