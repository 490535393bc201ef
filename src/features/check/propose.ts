import * as vscode from 'vscode';
import type { Finding } from '../../documents/check/finding.js';
import { rulesOf, siteOfPage } from '../../documents/sites.js';
import { linkText } from '../../documents/imageLink.js';
import { formatOf } from '../../documents/languages.js';
import { imageLinkFor } from '../../documents/writeImageLink.js';
import { altEdit, offsetOfLink } from '../../editor/altEdit.js';
import { linkContextOf } from '../../editor/documents.js';
import { imageNamePattern } from '../../editor/images.js';
import { languageOf } from '../../editor/nearImage.js';
import { notify, runDetached, showStatus } from '../../editor/messages.js';
import { askPickMany, askText, inputButton, pickLoop } from '../../editor/quickInput.js';
import type { PickItem } from '../../editor/untrustedText.js';
import { altText } from '../../images/altText.js';
import { isGenericAlt } from '../../images/genericAlt.js';
import { log } from '../../log.js';
import { readProposal } from '../../models/altProposal.js';
import { altQuestion, maxAroundLength } from '../../models/altQuestion.js';
import { documentTextAt } from '../../models/documentText.js';
import { withAnswerProgress, type Send } from '../../models/languageModels.js';
import { readPicture } from '../../models/picture.js';
import { isCancelled } from '../../service/errors.js';
import type { Services } from '../../services.js';
import { checkMessages } from '../messages.js';

/** A text for an image, as the user has it now. */
interface Proposal {
	readonly finding: Finding;
	/** Empty where there is none yet, or the image is decorative. */
	text: string;
	isDecorative: boolean;
	/** True if the text comes from the document itself. */
	readonly isCaption: boolean;
}

/**
 * Proposes alt texts, lets the user review them, and writes those that are accepted. A caption needs no
 * language model; for all others the user is asked once.
 *
 * @returns false where the user has cancelled
 */
export async function proposeAltTexts(
	findings: readonly Finding[],
	deps: Services,
): Promise<boolean> {
	const proposals = findings.map((finding): Proposal => {
		const caption = altText(finding.caption ?? '');
		const isCaption = !isGenericAlt(caption);
		return { finding, text: isCaption ? caption : '', isDecorative: false, isCaption };
	});
	const open = proposals.filter(({ text, finding }) => text === '' && hasPicture(finding));
	if (open.length > 0 && !(await askModel(open, deps))) {
		return false;
	}
	const accepted = await review(proposals);
	if (accepted !== undefined) {
		await apply(accepted);
	}
	return accepted !== undefined;
}

function hasPicture({ image }: Finding): boolean {
	return image !== undefined && imageNamePattern.test(image);
}

/** Fills in texts of a language model, until the user cancels; `false` where nothing is to be sent. */
async function askModel(open: readonly Proposal[], deps: Services): Promise<boolean> {
	const first = await taskFor(open[0]!, deps);
	const makeSend = await deps.models.askForMany({
		...first,
		title: checkMessages.proposeTitle,
		verb: checkMessages.propose(open.length),
		summary: checkMessages.calls(open.length, maxAroundLength),
	});
	if (makeSend === undefined) {
		return false;
	}
	let done = 0;
	const now = () => checkMessages.progress(done + 1, open.length);
	try {
		await withAnswerProgress(checkMessages.proposeTitle, now, async (changed, signal, onWait) => {
			for (const proposal of open) {
				changed();
				const task = proposal === open[0] ? first : await taskFor(proposal, deps).catch(warn);
				if (task !== undefined) {
					const answer = await textOf(makeSend(task), signal, onWait);
					const { alt } = readProposal(answer);
					proposal.text = altText(alt);
					proposal.isDecorative = alt === '';
				}
				done++;
			}
		});
	} catch (error) {
		// What came before counts.
		if (!isCancelled(error)) {
			throw error;
		}
	}
	return done > 0;
}

function warn(error: unknown): undefined {
	log.warn(`No alt text was proposed: ${String(error)}`);
}

async function textOf(send: Send, ...call: Parameters<Send>): Promise<string> {
	let answer = '';
	for await (const piece of send(...call)) {
		answer += piece;
	}
	return answer.trim();
}

async function taskFor({ finding }: Proposal, deps: Services) {
	const { document, image, link, linkStart } = finding;
	const open = await vscode.workspace.openTextDocument(vscode.Uri.file(document));
	const at = open.positionAt(offsetOfLink(open, { link, start: linkStart }) ?? linkStart);
	const around = await documentTextAt(open, new vscode.Range(at, at));
	const picture = await readPicture(vscode.Uri.file(image ?? ''), deps);
	return { ...altQuestion(around.text.slice(0, maxAroundLength)), image: picture };
}

/** A row of the review. */
interface Row extends PickItem {
	readonly proposal: Proposal;
}

const editButton = inputButton('edit', checkMessages.edit);
const decorativeButton = inputButton('circle-slash', checkMessages.markDecorative);

/** Shows each text beside its picture; those that stay ticked are accepted. */
async function review(proposals: readonly Proposal[]): Promise<readonly Proposal[] | undefined> {
	let accepted = new Set(proposals.filter(isReady));
	const ask = () =>
		askPickMany<Row>({
			title: checkMessages.reviewTitle,
			titleFor: (rows) => checkMessages.apply(rows.length),
			placeholder: checkMessages.review,
			emptyText: '',
			items: Promise.resolve(proposals.map(rowOf)),
			selected: ({ proposal }) => accepted.has(proposal),
			selectable: ({ proposal }) => isReady(proposal),
		});
	return pickLoop(ask, async (answer) => {
		if (answer.type === 'back' || answer.type === 'button' || answer.type === 'list') {
			return undefined;
		}
		if (answer.type === 'value') {
			return { done: answer.value.map(({ proposal }) => proposal) };
		}
		accepted = new Set(answer.selected.map(({ proposal }) => proposal));
		const { proposal } = answer.item;
		if (answer.button === decorativeButton) {
			proposal.isDecorative = !proposal.isDecorative;
		} else {
			await edit(proposal);
		}
		if (isReady(proposal)) {
			accepted.add(proposal);
		} else {
			accepted.delete(proposal);
		}
		return 'again';
	});
}

function isReady({ text, isDecorative }: Proposal): boolean {
	return isDecorative || text !== '';
}

function rowOf(proposal: Proposal): Row {
	const { finding, text, isDecorative, isCaption } = proposal;
	const { document, lines, destination, image } = finding;
	const place = `${vscode.workspace.asRelativePath(vscode.Uri.file(document))}:${String(lines.line)}`;
	return {
		label: isDecorative ? checkMessages.decorative : text === '' ? checkMessages.noText : text,
		description: isCaption && !isDecorative ? `${checkMessages.fromCaption} · ${place}` : place,
		detail: destination,
		...(image !== undefined && hasPicture(finding)
			? { iconPath: vscode.Uri.file(image) }
			: { icon: 'file-media' }),
		buttons: [editButton, decorativeButton],
		proposal,
	};
}

async function edit(proposal: Proposal): Promise<void> {
	const answer = await askText({
		title: checkMessages.edit,
		canGoBack: true,
		prompt: proposal.finding.destination,
		text: proposal.text,
	});
	if (answer?.type === 'value') {
		proposal.text = answer.value.trim();
		proposal.isDecorative = false;
	}
}

/** Writes the texts, all in one step to undo, after the editor's preview. */
async function apply(accepted: readonly Proposal[]): Promise<void> {
	const edits = new vscode.WorkspaceEdit();
	let written = 0;
	for (const { finding, text, isDecorative } of accepted) {
		const document = await vscode.workspace.openTextDocument(vscode.Uri.file(finding.document));
		const link = { link: finding.link, start: finding.linkStart };
		const found = isDecorative
			? await decorativeEdit(document, finding)
			: altEdit(document, link, text);
		if (found !== undefined) {
			const label = checkMessages.reviewTitle;
			edits.replace(document.uri, found.range, found.newText, { needsConfirmation: true, label });
			written++;
		}
	}
	const isApplied =
		written > 0 && (await vscode.workspace.applyEdit(edits, { isRefactoring: true }));
	if (written < accepted.length) {
		const words = checkMessages.someWritten(isApplied ? written : 0, accepted.length);
		runDetached(notify('warning', words));
	} else if (isApplied) {
		showStatus(checkMessages.written(written), 'check');
	}
}

/**
 * Returns the edit that marks an image as decorative. Markdown says so by HTML alone, which a site that
 * compiles MDX would not find the file of.
 */
export async function decorativeEdit(
	document: vscode.TextDocument,
	{ link, linkStart, image, destination }: Finding,
): Promise<vscode.TextEdit | undefined> {
	const found = altEdit(document, { link, start: linkStart }, '');
	const at = offsetOfLink(document, { link, start: linkStart });
	const isLink = /^!\[[^\]]*\]\(/.test(link);
	if (
		found !== undefined ||
		at === undefined ||
		!isLink ||
		formatOf(languageOf(document)) !== 'markdown'
	) {
		return found;
	}
	const range = new vscode.Range(document.positionAt(at), document.positionAt(at + link.length));
	if (/^https?:/.test(destination)) {
		return vscode.TextEdit.replace(
			range,
			`<img src="${destination.replaceAll('"', '%22')}" alt="">`,
		);
	}
	const context = await linkContextOf(document.uri, document.getText().slice(0, at));
	const site = siteOfPage(context.document.path, context.sites ?? []);
	if (image === undefined || (site !== undefined && rulesOf(site).isMdx === true)) {
		return undefined;
	}
	const written = imageLinkFor(languageOf(document), {
		...context,
		...{ image: vscode.Uri.file(image), alt: '', form: 'html' },
	});
	return vscode.TextEdit.replace(range, linkText(written));
}
