import * as vscode from 'vscode';
import type { Finding } from '../../documents/check/finding.js';
import { altEdit, decorativeEdit } from '../../editor/altEdit.js';
import { notify, runDetached, showStatus } from '../../editor/messages.js';
import { askPickMany, askText, inputButton, pickLoop } from '../../editor/quickInput.js';
import type { PickItem } from '../../editor/untrustedText.js';
import { altText } from '../../images/altText.js';
import { isGenericAlt } from '../../images/genericAlt.js';
import { readProposal } from '../../models/altProposal.js';
import { altQuestion, maxAroundLength } from '../../models/altQuestion.js';
import { readPicture } from '../../models/picture.js';
import type { Services } from '../../services.js';
import { checkMessages } from '../messages.js';
import { askForEach, hasPicture, textAround } from './askForEach.js';

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
 * @returns false where the user has cancelled the review
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
	if (open.length > 0) {
		const answers = await askForEach(
			{
				title: checkMessages.proposeTitle,
				verb: checkMessages.propose(open.length),
				summary: checkMessages.calls(open.length, maxAroundLength),
				items: open,
				taskFor: async ({ finding }) => ({
					...altQuestion((await textAround(finding)).text.slice(0, maxAroundLength)),
					image: await readPicture(vscode.Uri.file(finding.image ?? ''), deps),
				}),
				onAnswer: (proposal, answer) => {
					const { alt } = readProposal(answer);
					proposal.text = altText(alt);
					proposal.isDecorative = alt === '';
				},
			},
			deps,
		);
		if (answers === undefined || !proposals.some(isReady)) {
			return true;
		}
	}
	const accepted = await review(proposals);
	if (accepted !== undefined) {
		await apply(accepted);
	}
	return accepted !== undefined;
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
		const found = isDecorative ? decorativeEdit(document, finding) : altEdit(document, link, text);
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
