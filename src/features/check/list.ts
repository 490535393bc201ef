import * as vscode from 'vscode';
import type { Finding } from '../../documents/check/finding.js';
import { ruleIds, type RuleId } from '../../documents/check/rules.js';
import { offsetOfLink } from '../../editor/altEdit.js';
import { imageNamePattern } from '../../images/fileName.js';
import { askPick, askPickMany, inputButton, pickLoop } from '../../editor/quickInput.js';
import { notify, runDetached, showStatus } from '../../editor/messages.js';
import type { PickItem } from '../../editor/untrustedText.js';
import { editPicture } from '../../asking/editPicture.js';
import { separator } from '../../asking/questions.js';
import { areModelsOn } from '../../models/languageModels.js';
import type { Services } from '../../services.js';
import { checkMessages } from '../messages.js';
import { exportTicked, takesExport } from './exportTicked.js';
import { proposeAltTexts } from './propose.js';
import type { WordsFinding } from './words.js';

/** A row of the list: a finding, or a heading. */
interface Row extends PickItem {
	readonly finding?: Finding | WordsFinding;
}

const filterButton = inputButton('filter', checkMessages.filter);
const documentButton = inputButton('go-to-file', checkMessages.showInDocument);
const caseButton = inputButton('case-sensitive', checkMessages.correctCase);
const editButton = inputButton('wand', checkMessages.editPicture);
const allCasesButton = inputButton('case-sensitive', checkMessages.correctAllCases);

/** More of them are ticked by the user alone: each may be a call of a language model, or takes a second. */
const maxTicked = 25;

/**
 * Lets the user look through findings and mend links. Those that are ticked get alt texts and exports.
 */
export async function showFindings(
	all: readonly (Finding | WordsFinding)[],
	deps: Services,
): Promise<void> {
	let left = [...all];
	let rule: RuleId | undefined;
	const missing = left.filter((one) => one.rule === 'alt-missing' && takesText(one));
	const heavy = left.filter((one) => one.rule === 'image-weight' && takesExport(one));
	const first = missing.length > 0 ? missing : heavy;
	let ticked = new Set(first.length <= maxTicked ? first : []);
	const ask = async () => {
		const shown = left.filter((one) => rule === undefined || one.rule === rule);
		if (shown.length === 0) {
			return undefined;
		}
		const hasCases = shown.some(({ fix }) => fix !== undefined);
		return askPickMany<Row>({
			title: checkMessages.title,
			titleFor: (rows) => titleFor(rows.flatMap(({ finding }) => finding ?? [])),
			placeholder: checkMessages.select(shown.length, rule),
			emptyText: '',
			items: Promise.resolve(rowsOf(shown)),
			selected: ({ finding }) => finding !== undefined && ticked.has(finding),
			selectable: ({ finding }) =>
				finding !== undefined && (takesText(finding) || takesExport(finding)),
			buttons: [filterButton, ...(hasCases ? [allCasesButton] : [])],
		});
	};
	const correct = async (some: readonly Finding[]) => {
		const done = await correctCases(some);
		left = left.filter((one) => !done.includes(one));
	};
	const chosen = await pickLoop(ask, async (answer) => {
		if (answer.type === 'back' || answer.type === 'button') {
			return undefined;
		}
		if (answer.type === 'value') {
			return { done: answer.value.flatMap(({ finding }) => finding ?? []) };
		}
		ticked = new Set(answer.selected.flatMap(({ finding }) => finding ?? []));
		if (answer.type === 'list') {
			if (answer.button === allCasesButton) {
				await correct(left.filter((one) => one.fix !== undefined));
				return 'again';
			}
			const picked = await askForRule(left);
			rule = picked === undefined ? rule : picked === 'all' ? undefined : picked;
			return 'again';
		}
		const { finding } = answer.item;
		if (finding !== undefined && answer.button === caseButton) {
			await correct([finding]);
			return 'again';
		}
		if (finding !== undefined && 'editPrompt' in finding && answer.button === editButton) {
			const document = vscode.Uri.file(finding.document);
			await editPicture(vscode.Uri.file(finding.image ?? ''), finding.editPrompt, document);
			return undefined;
		}
		await (finding && showInDocument(finding));
		return undefined;
	});
	const texts = chosen?.filter(takesText) ?? [];
	const exports = chosen?.filter(takesExport) ?? [];
	if (texts.length > 0 && !(await proposeAltTexts(texts, deps))) {
		return;
	}
	if (exports.length > 0) {
		await exportTicked(exports, deps);
	}
}

/** Returns whether an alternative text can be written for it. */
function takesText({ rule, link }: Finding): boolean {
	return rule.startsWith('alt-') && link !== '';
}

function titleFor(selected: readonly Finding[]): string {
	const texts = areModelsOn() ? selected.filter(takesText).length : 0;
	const images = new Set(selected.filter(takesExport).map(({ image }) => image)).size;
	const steps = [
		...(texts > 0 ? [checkMessages.propose(texts)] : []),
		...(images > 0 ? [checkMessages.exportImages(images)] : []),
	];
	return steps.length === 0 ? checkMessages.title : checkMessages.steps(steps);
}

/** The findings by their rules, each group behind its name. */
function rowsOf(findings: readonly (Finding | WordsFinding)[]): Row[] {
	return ruleIds.flatMap((rule) => {
		const group = findings.filter((one) => one.rule === rule);
		return group.length === 0
			? []
			: [separator(checkMessages.group(rule, group.length)), ...group.map(rowOf)];
	});
}

function rowOf(finding: Finding | WordsFinding): Row {
	const { image, destination, message, document, lines, fix } = finding;
	const place = vscode.workspace.asRelativePath(vscode.Uri.file(document));
	const picture = image !== undefined && imageNamePattern.test(image) ? image : undefined;
	return {
		label: message,
		description: `${place}:${String(lines.line)}`,
		detail: destination,
		...(picture === undefined ? { icon: 'file-media' } : { iconPath: vscode.Uri.file(picture) }),
		buttons: [
			...(fix === undefined ? [] : [caseButton]),
			...('editPrompt' in finding ? [editButton] : []),
			documentButton,
		],
		finding,
	};
}

async function askForRule(findings: readonly Finding[]): Promise<RuleId | 'all' | undefined> {
	const counts = Map.groupBy(findings, ({ rule }) => rule);
	const items = [
		{ label: checkMessages.allRules(findings.length), value: 'all' as const },
		...ruleIds.flatMap((rule) => {
			const { length = 0 } = counts.get(rule) ?? [];
			return length === 0 ? [] : [{ label: checkMessages.group(rule, length), value: rule }];
		}),
	];
	const answer = await askPick({ title: checkMessages.filter, canGoBack: true, items });
	return answer?.type === 'value' ? answer.value.value : undefined;
}

/** Selects what a finding is about in its document, where that is as it was. */
async function showInDocument(finding: Finding): Promise<void> {
	const { document, span, link, linkStart } = finding;
	const open = await vscode.workspace.openTextDocument(vscode.Uri.file(document));
	const moved = offsetOfLink(open, { link, start: linkStart });
	const shift = moved === undefined ? 0 : moved - linkStart;
	const [start, end] = [span.start, span.end].map((offset) => open.positionAt(offset + shift));
	await vscode.window.showTextDocument(open, { selection: new vscode.Range(start!, end!) });
}

/**
 * Corrects the letter case of links, all in one step to undo; several are shown before.
 *
 * @returns those whose links stood where they were
 */
async function correctCases(findings: readonly Finding[]): Promise<readonly Finding[]> {
	const edit = new vscode.WorkspaceEdit();
	const done: Finding[] = [];
	for (const finding of findings) {
		const { document, fix, link, linkStart } = finding;
		const open = await vscode.workspace.openTextDocument(vscode.Uri.file(document));
		const at = offsetOfLink(open, { link, start: linkStart });
		if (fix !== undefined && at !== undefined) {
			const [start, end] = [fix.start, fix.end].map((one) => open.positionAt(one - linkStart + at));
			edit.replace(open.uri, new vscode.Range(start!, end!), fix.newText, {
				needsConfirmation: findings.length > 1,
				label: checkMessages.correctCase,
			});
			done.push(finding);
		}
	}
	const isApplied =
		done.length > 0 && (await vscode.workspace.applyEdit(edit, { isRefactoring: true }));
	if (!isApplied) {
		runDetached(notify('info', checkMessages.notChanged));
		return [];
	}
	showStatus(checkMessages.casesCorrected(done.length), 'check');
	return done;
}
