/**
 * The texts of the features that a user reads, one table for each folder. What several of them say
 * is in the table of `generation`.
 */
import { budgetLeft, type BudgetNumbers } from '../messages.js';
import type { UnknownReason } from '../documents/missing/proof.js';
import type { ServiceId } from '../service/services.js';
import { count, formatNumber, list, plural } from '../images/wording.js';

/** Number of files a message names. */
const maxNamedFiles = 3;
/** Number of workspace folders a message names. */
const maxNamedFolders = 10;

export const mcpMessages = {
	title: 'Copy MCP Configuration',
	placeholder: 'Select the program that uses Easel',
	commandLine: 'command for a terminal',
	otherClients: 'Other Programs (JSON)',
	copied: (client: string | undefined, file: string | undefined) =>
		client === undefined
			? 'The MCP configuration is copied. Add it to the file in which the program has its MCP servers, and restart the program.'
			: `The MCP configuration for ${client} is copied. ${file === undefined ? 'Paste it into a terminal' : `Add it to ${file}`}, and restart ${client}.`,
	notUnderstood:
		'Easel does not understand this version of its MCP server. Ask the user to restart the program that started it.',
};

export const compareMessages = {
	title: 'Compare Images',
	left: 'Select the image on the left',
	right: 'Select the image on the right',
	new: 'New',
	original: 'Original',
	notRelated: 'Neither image was made from the other. Nothing was changed.',
	noConcept: 'Easel made neither of these images, so it has no prompt for a brief.',
	deciding: 'Another choice about these images is being carried out. Nothing else was changed.',
	selectTwo: 'You can compare two images. Select exactly two.',
	noImages: 'This workspace has no PNG, JPEG or WebP image to compare.',
	paste: 'Paste or Drop an Image…',
	pasteHere: 'Paste an image here, or drop one. Hold Shift to drop from the Explorer.',
	notPasted: 'What you pasted is no PNG, JPEG or WebP image. Copy an image, or a file of one.',
	outsideWorkspace: (name: string) =>
		`“${name}” is outside this workspace. Copy the image and paste it here, or move its file into the workspace.`,
	savePasted: 'Save Pasted Image',
	selectNew: 'Open or select the image that replaces its original.',
	noOriginal: (name: string) =>
		`${name} was not made from another image, so no original can be replaced.`,
	usingDraft: 'Using the draft…',
	drafts: 'Choose Draft',
	noDrafts: 'You have no drafts to choose from. Generate two to four images of one prompt.',
	draftUsed: (name: string, deleted: number) =>
		`${name} is used. ${count(deleted, 'other draft')} ${plural(deleted, 'was', 'were')} deleted.`,
	unreadable: (name: string) => `“${name}” cannot be read.`,
	missing: (name: string) =>
		`“${name}” was moved, renamed or deleted. It is shown again when it is restored.`,
};

export const editMessages = {
	marks: (marks: number) => count(marks, 'mark'),
	compareDraft: 'Compare New Draft',
	useDraft: 'Use New Draft',
	title: 'Edit with Prompt',
	darkTitle: 'Make Dark Variant',
	/** Prompt that the user may change. */
	darkPrompt:
		'The same picture for a dark page: make the background dark gray. Keep every object, word, position and proportion exactly as it is. Make lines, arrows and letters light where they would be hard to read on the dark background.',
	selectForDark: 'Open or select the image that gets a dark variant.',
	moveUp: 'Move Up',
	moveDown: 'Move Down',
	remove: 'Remove',
	addReferences: 'Add Reference Images…',
	recent: 'recent instructions',
	placeholder: 'Describe the change, Enter to edit',
	verb: 'Edit',
	sameSize: 'same as the original',
	nearestSize: (dimensions: string) => `nearest to ${dimensions}`,
	leftOut: (why: string) => `${why} It was left out.`,
	references: (references: number) =>
		plural(references, 'reference image', 'reference images, in this order'),
	largeReferences: (heading: string, size: string) =>
		`${heading} · ${size} in total; the service may reject this`,
	chooseOthers: 'Choose Other Images…',
	nothingSent: (why: string) => `${why} Nothing was sent.`,
};

export const exportMessages = {
	selectImage: 'Open or select the image to export.',
	isWhite: 'Transparent parts are white, because JPEG has no transparency.',
	exporting: 'Exporting the image',
	saved: (names: readonly string[], sizes: readonly string[], before: string) =>
		`Saved ${list(names)} (${list(sizes)}; the original has ${before}).`,
	exists: (names: readonly string[]) =>
		`${list(names)} ${plural(names.length, 'is', 'are')} up to date.`,
	useInDocument: 'Use in Document',
	used: (name: string, documents: number) =>
		`${count(documents, 'document')} ${plural(documents, 'shows', 'show')} ${name} now.`,
	notShown: (name: string) => `No document shows ${name}.`,
	notUndone: (name: string) => `${name} has changed since, so it was not deleted.`,
};

export const replaceMessages = {
	replaced: (original: string, by: string) => `Replaced ${original} with ${by}.`,
	updated: (documents: number) => `References in ${count(documents, 'document')} were updated.`,
	renamed: (from: string, to: string, documents: number) =>
		`${from} is ${to} now. ${plural(documents, 'One document still links', `${formatNumber(documents)} documents still link`)} to the old name.`,
	updateReferences: 'Update Links',
	editedRenamed: (name: string) =>
		`The edited image was renamed to ${name} because its name is taken.`,
	otherVersion: (name: string) =>
		`Another program changed the file at the same time; that version was kept as ${name}.`,
	notRemoved: (name: string, why: string) => `${name} could not be removed: ${why}`,
	alreadyRestored: (name: string) => `${name} was already restored.`,
	nameTaken: (original: string, target: string) =>
		`Another file is named ${original}, so ${target} was not changed.`,
	missing: (name: string) => `${name} is missing.`,
	changed: (name: string) => `${name} has changed since, so it was not replaced.`,
	hasBackup: {
		before: 'Easel has a backup of the original.',
		after: 'Easel has a backup of the edited image.',
	},
	notReplaced: (name: string, why: string) =>
		`“${name}” was not replaced: ${why} No image was lost.`,
	notRestored: (name: string, why: string) =>
		`“${name}” was not restored: ${why} No image was lost.`,
	notSaved: (name: string, why: string) => `“${name}” was not saved: ${why} No image was lost.`,
	showImage: 'Show Image',
	saveOriginal: 'Save the Original As…',
	saveEdited: 'Save the Edited Image As…',
	undoReferences: (names: readonly string[]) =>
		names.length === 1 ? `Show ${names[0]!}` : `Show ${count(names.length, 'image')}`,
	refused: 'VS Code refused the change. Try again.',
	move: 'Move Original',
	wrongExtension: (format: string, old: string, name: string) =>
		`The new image is a ${format}, so ${old} should be renamed to ${name}.`,
	changes: (documents: readonly string[]) =>
		documents.length === 0
			? 'No document refers to it.'
			: `This updates ${list(documents, maxNamedFiles)}.`,
	leaves: (files: readonly string[], old: string) =>
		`${list(files, maxNamedFiles)} ${plural(files.length, 'names', 'name')} ${old} in another way and will not change.`,
	showFiles: 'Show Files…',
	changedFiles: 'updated in one undoable step',
	leftFiles: 'name it in another way and do not change',
	lookAtFile: 'Select a file to open it; the question stays',
	rename: 'Rename and Update References',
	keepName: 'Keep the Name',
	searching: (names: readonly string[]) => `Looking for references to ${list(names, 1)}`,
	searched: (documents: number, all: number) =>
		`${formatNumber(documents)} of ${count(all, 'document')}`,
	searchCancelled: 'The search for references was cancelled.',
	referencesFailed: (names: readonly (readonly [from: string, to: string])[]) =>
		names.length === 1
			? `References to ${names[0]![0]} could not be updated to ${names[0]![1]}. Update them yourself.`
			: `References to ${count(names.length, 'image')} could not be updated. Update them yourself.`,
};

export const generateMessages = {
	title: 'Generate Image',
	recent: 'recent prompts',
	placeholder: 'Describe the image, Enter to generate',
	drafts: 'Drafts',
	container: (folder: string) =>
		`Rebuilding this container loses running images and backups. To keep them, put ${folder} on a volume.`,
	copyForDevcontainer: 'Copy for devcontainer.json',
	promptTab: 'Image Prompt',
	promptUsed: 'This prompt was already used. Copy the text and run Generate Image again.',
	promptEmpty: 'The prompt is empty, so nothing was sent. Describe the image.',
	promptTooLong: (length: number, max: number) =>
		`The prompt has ${formatNumber(length)} characters, so nothing was sent. Shorten it to ${formatNumber(max)}.`,
	generate: 'Generate (Ctrl+Enter)',
	qualityLens: (quality: string) => `Quality: ${quality}`,
	referencesLens: (names: readonly string[]) =>
		names.length === 0 ? 'References: none' : `References: ${list(names)}`,
	forDocument: (name: string) => `for ${name}`,
	fromImage: (name: string) => `from ${name}`,
	promptPlaceholder: 'Describe the image. Ctrl+Enter generates it.',
	// By a language model
	draftLens: 'Draft from Document…',
	draftedLength: (length: string) => `${length} characters`,
	improveLens: 'Improve…',
	noPromptInFront:
		'Open a prompt in its editor first: choose Write in Editor in the title of Generate Image.',
};

export const wordsMessages = {
	sentImage: (size: string, name: string, characters = 0) =>
		`sends ${name} (${size})${characters === 0 ? '' : ` and ${count(characters, 'character')} around it`}`,
	checkTitle: 'Check Words in Picture',
	checkVerb: 'Check Words',
	noWords: 'The picture has no words.',
	/** @param sources what they were compared with */
	allRight: (seen: readonly string[], sources: readonly string[]) =>
		`The picture says ${list(
			seen.map((text) => `“${text}”`),
			5,
		)}. ${
			sources.length === 0
				? 'There is no prompt and no text to compare that with.'
				: `Nothing differs from ${list(sources)}.`
		}`,
	sources: { prompt: 'its prompt', section: 'this section', style: 'the style guide' },
	found: (problems: number, name: string) =>
		`${name} may have ${count(problems, 'wrong word')}. A quick fix edits the picture.`,
	notChecked: (why: string) => `The words of new pictures could not be checked. ${why}`,
	showProblems: 'Show Problems',
	linkChanged: 'The image link has changed. Check the words again.',
	missingWords: (expected: string) => `The picture should say “${expected}”.`,
	wrongWords: (seen: string, expected: string) =>
		`The picture says “${seen}”. It should probably be “${expected}”.`,
	fix: (expected: string) => `Edit Picture to Say “${expected}”…`,
	// Prompts of the edits
	addWords: (expected: string) =>
		`Add the words “${expected}” where they belong. Keep everything else as it is.`,
	replaceWords: (seen: string, expected: string) =>
		`Replace the words “${seen}” with “${expected}”. Keep everything else as it is.`,
};

export const altTextMessages = {
	title: 'Propose Alt Text',
	placeholder: 'Choose the alt text, or change it',
	use: 'Use',
	change: 'Change…',
	leaveEmpty: 'Leave Empty',
	decorative: 'The image is decorative; screen readers skip it',
	copyDescription: 'Copy Long Description',
	copied: 'Copied',
	copiedInstead: 'The alt text was copied; paste it where your format has it.',
};

export const briefMessages = {
	title: 'Write Brief',
	purpose:
		'What is the image for? Everyone who gets the brief can read this. You can leave it empty.',
	purposeExample: 'For example: the settings page of the mobile app',
	alternatives: 'Select the starred drafts to show in the brief',
	written: (name: string) => `The brief was saved as ${name}.`,
	open: 'Open',
	copy: 'Copy',
	openInChat: 'Open in Chat',
	copied: 'Easel: brief copied',
	notSaved: (why: string) => `The brief cannot be saved: ${why}`,
};

export const documentMessages = {
	notInGallery: 'This image is no longer in the gallery.',
	notRunning: 'This image is no longer in progress.',
	noneRunning: 'No image is in progress.',
	imagesInProgress: 'Images in Progress',
	cancelImage: (prompt: string) => `Cancel “${prompt}”`,
	selectImageToCancel: 'Select an image to cancel; it may still be charged',
	selectToDecide: 'Select what to decide, or an image to cancel; it may still be charged',
	notSaved: (prompt: string) => `“${prompt}” is not saved`,
	/** At a line of a document; what its hover offers. */
	draftNote: ({
		type,
		images,
	}: {
		readonly type: 'new' | 'drafts';
		readonly images: readonly unknown[];
	}) =>
		type === 'new'
			? 'New draft · Compare · Use New'
			: `${count(images.length, 'new draft')} · Choose Draft…`,
	decided: 'This draft is decided already.',
	newDraftOf: (name: string) => `New draft: ${name}`,
	noImages: 'Easel has not made an image in this workspace yet.',
	insertTitle: 'Insert Generated Image',
	insertPlaceholder: 'Select an image to insert',
};

export const checkMessages = {
	title: 'Check Images',
	searchFor: 'images to mend',
	found: (documents: number, findings: number) =>
		`${count(findings, 'finding')} in ${count(documents, 'document')}`,
	needsLocalFolder: 'Open a local folder to check its images.',
	badSettings: (problem: string) =>
		`.easel/check.json has a mistake; that part of it does not count. ${problem}`,
	noFindings: (documents: number) =>
		documents === 0
			? 'There are no documents to check.'
			: `Nothing to mend: ${count(documents, 'document')} checked.`,
	unreadableFiles: (files: number) => `${count(files, 'file')} could not be read.`,
	incomplete: 'There are more findings than can be listed. Check one folder at a time.',
	filter: 'Filter by Rule',
	showInDocument: 'Show in Document',
	correctCase: 'Correct Case',
	correctAllCases: 'Correct Case of All Links',
	editPicture: 'Edit Picture…',
	casesCorrected: (links: number) => `${count(links, 'link')} corrected`,
	notChanged: 'No link was changed.',
	select: (findings: number, rule: string | undefined) =>
		`${count(findings, 'finding')}${rule === undefined ? '' : ` of ${rule}`} · Enter mends the ticked ones`,
	group: (rule: string, findings: number) => `${rule} · ${formatNumber(findings)}`,
	allRules: (findings: number) => `All Rules · ${formatNumber(findings)}`,
	propose: (images: number) => `Propose Alt Text for ${count(images, 'Image')}`,
	exportImages: (images: number) => `Export ${count(images, 'Image')}`,
	/** Title for what Enter does, in this order. */
	steps: (steps: readonly string[]) => steps.join(', Then '),
	selectPreset: (heaviest: string) =>
		`Select a preset, or type your own; the weights are those of ${heaviest}, the heaviest`,
	exporting: 'Exporting images',
	exported: (made: number, all: number, before: string, after: string) =>
		`${made < all ? `${formatNumber(made)} of ` : ''}${count(all, 'image')} exported: ${before} became ${after}.`,
	documentsShow: (documents: number) =>
		documents === 0
			? 'No document shows them.'
			: `${count(documents, 'document')} ${plural(documents, 'shows', 'show')} the exports now.`,
	notExported: (names: readonly string[], why: string) => `Not exported: ${list(names, 5)}. ${why}`,
	notLighter: 'The export would be no lighter.',
	linksStay: (documents: readonly string[]) =>
		`${list(documents, 5)} changed since, so the exports and those links stay.`,
	exportsStay: (names: readonly string[]) =>
		`${list(names, 5)} changed since, so ${plural(names.length, 'it was', 'they were')} not deleted.`,
	moveOriginals: 'Move Originals',
	moved: (images: number, folder: string, left: readonly string[]) =>
		[
			images === 0 ? 'No image was moved.' : `${count(images, 'image')} moved to ${folder}.`,
			...(left.length === 0
				? []
				: [
						`Files of the workspace still name ${list(left, 5)}, so ${plural(left.length, 'it stays', 'they stay')}.`,
					]),
		].join(' '),
	proposeTitle: 'Propose Alt Texts',
	calls: (calls: number, characters = 0) =>
		`${count(calls, 'call')}, each with one picture${characters === 0 ? '' : ` and up to ${count(characters, 'character')} around it`}`,
	wordsTitle: 'Check Words in Pictures',
	checkWords: (images: number) => `Check Words in ${count(images, 'Picture')}`,
	wordsNotChecked: (images: number) => `The words of ${count(images, 'picture')} were not checked.`,
	noneReadable: 'None of these images can be read.',
	progress: (current: number, all: number) => `${formatNumber(current)} of ${formatNumber(all)}`,
	reviewTitle: 'Write Alt Texts',
	review: 'Ticked texts are accepted, the others are skipped',
	apply: (texts: number) => `Apply ${count(texts, 'Alt Text')}`,
	edit: 'Edit Alt Text',
	markDecorative: 'Mark as Decorative',
	decorative: 'decorative: screen readers skip it',
	noText: 'no text yet: edit it, or skip it',
	fromCaption: 'from its caption',
	written: (texts: number) => `${count(texts, 'alt text')} written`,
	someWritten: (written: number, all: number) =>
		`${formatNumber(written)} of ${count(all, 'alt text')} written. The other links were changed, or their form has no place for it.`,
};

export const missingMessages = {
	title: 'Generate Missing Images',
	titleOfOne: 'Generate Missing Image',
	sizeTitle: 'Generate Missing Images: Size',
	promptTitle: 'Generate Missing Images: Prompt',
	withHeading: (alt: string, heading: string) => `${alt}. For the part “${heading}”.`,
	withParagraph: (alt: string, paragraph: string) => `${alt}. It illustrates: ${paragraph}`,
	withBoth: (alt: string, heading: string, paragraph: string) =>
		`${alt}. For the part “${heading}”, which says: ${paragraph}`,
	contexts: 'adds from the document',
	heading: 'With its heading',
	paragraph: 'With its paragraph',
	both: 'With both',
	sizeForAll: 'Size for All',
	forAll: (images: number) => `For all ${count(images, 'image')}`,
	placeholder: (name: string) => `Describe ${name}`,
	promptEmpty: 'Describe the image.',
	editPrompt: 'Edit Prompt',
	size: 'Size',
	showInDocument: 'Show in Document',
	fixLink: 'Fix Link',
	fixLinks: 'Fix Links',
	fixAllLinks: 'Fix All Links',
	/** Short: where the field has no room for it, a hover lies over the buttons. */
	select: (
		images: number | undefined,
		{ links, missing, barred, unknown }: Record<'links' | 'missing' | 'barred' | 'unknown', number>,
	) => {
		if (links > 0) {
			const rest = [
				...(unknown === 0 ? [] : [`, ${formatNumber(unknown)} may exist`]),
				...(barred === 0 ? [] : [`, ${formatNumber(barred)} cannot be generated`]),
			].join('');
			return `${formatNumber(missing)} missing, ${count(links, 'link')} can be fixed${rest}`;
		}
		const rest =
			barred === 0
				? ''
				: ` (the last ${barred === 1 ? 'one' : formatNumber(barred)} cannot be generated)`;
		return images === undefined
			? `Select images to generate${rest}`
			: `Select which of ${formatNumber(images)} images to generate${rest}`;
	},
	onlyIfSelected: 'not selected by default',
	existElsewhere: 'exist in other folders',
	mayExist: 'may exist: Easel cannot tell',
	cannotBeGenerated: 'cannot be generated',
	noneCanBeGenerated: (images: number) =>
		images === 1
			? 'The missing image cannot be generated'
			: `None of the ${formatNumber(images)} missing images can be generated`,
	noneSelected: (title: string) => `${title} · none selected`,
	generateCost: (images: number, cost: string) =>
		`Generate ${count(images, 'Missing Image')} · ${cost}`,
	looksLikeExample: 'the path looks like an example',
	existsFixLink: (name: string) => `${name} exists: Fix Link`,
	exist: (names: readonly string[]) => `${list(names)} exist`,
	noAltText: 'no alt text: describe the image',
	genericAltText: (alt: string) => `“${alt}” is not an alt text: describe the image`,
	searchFor: 'missing images',
	found: (documents: number, images: number) =>
		`${count(documents, 'document')}, ${count(images, 'missing image')}`,
	noDocuments: 'This folder has no Markdown documents.',
	noneMissing: (documents: number) =>
		`No images are missing in ${count(documents, 'Markdown document')}.`,
	unreadableFiles: (files: number) => `${count(files, 'file')} could not be read.`,
	incomplete: 'The list is incomplete; generate these images first.',
	linksFixed: (links: number) => `Easel: ${count(links, 'link')} fixed`,
	someLinksFixed: (fixed: number, links: number) =>
		`${formatNumber(fixed)} of ${count(links, 'link')} fixed; the others have changed, or would not show their images.`,
	notMissing: (name: string) => `${name} is no longer missing, or the document has changed.`,
	generateAnyway: 'Generate Anyway',
	mayBeThere: (name: string) => `${name} may exist: Easel cannot tell.`,
	/** Why it is not known whether an image is missing. */
	whyUnknown: {
		address: 'The page has an address of its own, from which the path starts.',
		alias: 'Only the site generator can resolve this path.',
		generator: 'The site generator decides where this path leads.',
		included: 'The document is part of other pages, whose folders count.',
		language: 'There is a file for another language.',
		settings: 'The configuration of the site is a program, or cannot be read.',
		site: 'No configuration says in which folder a path with a leading slash begins.',
		theme: 'The theme of the site may have this file.',
		unpublished: 'A file of this name is in a folder that this page cannot show.',
	} satisfies Record<UnknownReason, string>,
	exists: (names: readonly string[]) => `${list(names)} exists.`,
	linkMayMeanIt: 'The link may refer to this file.',
	filesExist: 'Files with this name exist.',
	openFolder: 'Open a folder first; Easel searches its documents for missing images.',
	needsLocalFolder: 'Finding missing images needs a local folder.',
	/** Why an image cannot be generated where its document wants it. */
	obstacle: (obstacle: 'format' | 'outside' | 'name' | 'unknown', isInFolder: boolean) =>
		({
			format: 'The name does not end in .png; the service only makes PNG.',
			outside: isInFolder
				? 'The path is outside the workspace folder.'
				: 'The path is outside the folder of the document.',
			name: 'This file name is not allowed here.',
			unknown: 'Only the site generator can resolve this path.',
		})[obstacle],
	generateMissing: 'Generate Missing Image…',
	fixLinkTo: (name: string) => `Fix Link: ${name} exists`,
};

export const olderStyleMessages = {
	title: 'Update Images to Current Style',
	cost: (images: number, cost: string) => `Regenerate ${count(images, 'Image')} · ${cost}`,
	regenerate: (images: number) => `Regenerate ${count(images, 'Image')}`,
	placeholder: (images: number) =>
		images === 0
			? 'None of these images can be regenerated'
			: 'Enter regenerates the images with the current style guide',
	beside: 'Saved beside the old images, which stay',
	impossible: 'cannot be regenerated',
	missing: (names: readonly string[]) =>
		`${list(names)} ${plural(names.length, 'is', 'are')} missing`,
	searchFor: 'images',
	allCurrent: 'All images of this workspace have the current style, or were regenerated with it.',
	leftOut: 'You chose to go without the style guide, so no image was regenerated.',
	noGuide: 'This workspace has no style guide. Create one first.',
};

export const recipeMessages = {
	title: 'How Was This Image Made?',
	titleOf: (name: string) => `How Was This Image Made? – ${name}`,
	selectImage: 'Open or select an image to see how it was made.',
	placeholder: 'Enter copies a fact or runs an action',
	reusePrompt: 'Reuse Prompt…',
	reusePromptDetail: 'Opens the prompt; nothing is sent yet',
	copyPrompt: 'Copy Prompt',
	useAsReference: 'Use as Reference…',
	useAsReferenceDetail: 'Makes a new image from this one',
	showSources: 'Show Source Images…',
	showSourcesDetail: 'The images that it was made from',
	copyAll: 'Copy All',
	copyAllDetail: 'As text',
	actions: 'What You Can Do',
	details: 'Details',
	prompt: 'Prompt',
	promptLine: (prompt: string) => `Prompt: ${prompt}`,
	copied: 'Easel: copied',
	unknown: (name: string) => `${name} does not say how it was made.`,
	openSetting: 'Open Setting',
	sourcesTitle: (name: string) => `Source Images – ${name}`,
	sourcesPlaceholder: 'Select an image to open it',
	source: 'Source',
	reference: 'Reference',
	hash: (sha256: string) => `an image with the hash ${sha256.slice(0, 8)}…`,
	notFound: (kind: string) => `${kind}, not found`,
	sourcesNotFound: (images: number) =>
		`${count(images, 'source image')} could not be found and will not be sent.`,
	signed: 'Signed Credential',
	signedDetail: 'Is in the file; not verified by Easel',
	recipe: 'Recipe',
	newerRecipe: 'Written by a newer version of Easel; update Easel to read it',
	damage: 'Damage',
	damaged: 'Services of the file cannot be read',
	file: 'File',
	madeBy: (easel: string) => `Easel ${easel}`,
	besideImage: 'Beside the image',
	besideOtherImage: 'Beside the image, which has changed or is a different one',
	inImage: 'In the image',
	sentPrompt: 'Sent Prompt',
	revisedPrompt: 'Revised Prompt',
	model: 'Model',
	size: 'Size',
	quality: 'Quality',
	background: 'Background',
	made: 'Made',
	styleGuide: 'Style Guide',
	styleGuideFile: (path: string, sha256: string) => `${path}, hash ${sha256.slice(0, 8)}…`,
	round: 'Round',
	request: 'Request',
	written: 'Written',
	madeFrom: 'Made From',
	marks: 'Marks',
	rest: 'Rest of the Picture',
	references: 'References',
	exportedFrom: 'Exported from',
	gallery: 'Easel’s Gallery on This Machine',
	saved: 'Saved',
	changedFile: 'Has changed since or is a different one',
	fileOperation: 'How an image was made',
};

export const stripMessages = {
	action: 'Remove Prompt from File',
	tooMany: (max: number, folder: string) =>
		`${folder} has more than ${formatNumber(max)} images, so nothing was changed. Select some of its folders.`,
	selectImage: 'Open or select the image to remove the prompt from.',
	needsLocalFolder: 'Remove Prompt from File needs a local folder.',
	nothing: 'Easel saved no prompt in these files.',
	notChanged: (name: string, why: string, others: number) =>
		others === 0
			? `${name} was not changed: ${why}`
			: `${name} was not changed: ${why} ${count(others, 'more file')} ${plural(others, 'was', 'were')} not changed.`,
	cancelled: 'Easel: no prompt removed',
	removed: (files: number) => `Removed the prompt from ${count(files, 'file')}.`,
	searching: 'Looking for prompts',
	question: (files: number) => `Remove the prompt from ${count(files, 'file')}?`,
	images: (images: number) =>
		`It is removed from ${count(images, 'image')}; the pictures do not change. They leave the studio and the history of everyone who gets these files.`,
	besides: (files: number) =>
		`${count(files, 'file')} beside images ${plural(files, 'is', 'are')} deleted.`,
	undo: (size: string) => `You can undo this: Easel has backups for 30 days (${size}).`,
	signed: (images: number) =>
		`${count(images, 'signed image')} cannot be changed without breaking the signature.`,
	unreadable: (files: number) => `${count(files, 'file')} could not be read.`,
	unreadableFolders: (folders: number) =>
		`${count(folders, 'folder')} could not be read, so ${plural(folders, 'its', 'their')} images were not changed.`,
	backingUp: 'Backing up the files',
	removing: 'Removing prompts',
	restoring: 'Restoring prompts',
	fileMissing: 'It is missing.',
	alreadyRemoved: 'It has no prompt, or it is signed now.',
};

export const recoveryMessages = {
	unreachableWindow: (images: number, host: string) =>
		`${count(images, 'image')} ${plural(images, 'waits', 'wait')} for a window on ${host} that Easel cannot reach. Take over if that window is closed or that machine is off.`,
	takeOver: 'Take Over',
	takenOver:
		'Another window took over the images of this one. Reload this window to make images in it.',
	damaged: 'Easel found a damaged entry in its journal. Nothing of it will be sent.',
	damagedWithImages: (images: number) =>
		`Easel found a damaged entry in its journal. Its folder has ${count(images, 'image')} in a file named “image”.`,
	showFolder: 'Show Folder',
	newer: (images: number) =>
		`A newer version of Easel requested ${count(images, 'image')} and will continue. Update Easel if needed, and reload the window.`,
	savedWithFolder: (folder: string) =>
		`Easel saves this image when you open the folder ${folder} again.`,
	otherFolder: (problem: string, folder: string) =>
		`${problem} The image was made for the folder ${folder}.`,
	neverSent: (prompt: string, day: string) =>
		`The image “${prompt}” was queued but never sent (window closed on ${day}).`,
	manyNeverSent: (images: number, day: string) =>
		`${formatNumber(images)} queued images were never sent (window closed on ${day}).`,
	send: (images: number) => (images === 1 ? 'Send Now' : `Send ${formatNumber(images)} Images`),
};

export const keepRestMessages = {
	title: 'Keep the Rest',
	selectImage: 'Open or select an edit that was made with marks.',
	noMarks: (name: string) => `${name} was not made with marks, so there is no rest to keep.`,
	isRestored: (name: string) => `${name} already has the rest of its original.`,
	allMarked: 'All of the picture was marked, so there is no rest to keep.',
	saved: (path: string) => `Saved ${path}.`,
};

export const regenerateMessages = {
	selectImage: 'Open or select the image to regenerate.',
	unknown: (name: string) =>
		`Easel does not know how ${name} was made, so it cannot regenerate it.`,
	missingReferences: (names: readonly string[]) =>
		`${list(names)} ${plural(names.length, 'is', 'are')} missing and will not be sent as reference ${plural(names.length, 'image', 'images')}.`,
};

export const spendingMessages = {
	placeholder: 'What was sent to the image service; images in progress are not counted yet',
	balance: 'Balance',
	emptyBalance: 'The balance of your key was used up (402)',
	orTopUp: 'or top up the balance at your service',
	periods: { today: 'Today', week: 'This Week', month: 'This Month' },
	spenders: {
		user: 'You',
		tool: 'Agents in VS Code',
		mcp: 'Agents by MCP',
		api: 'Other extensions',
		words: 'Words',
		unknown: 'Others',
		all: 'Together',
	},
	noRequests: 'No requests',
	nothing: (wasEarlier: boolean) =>
		wasEarlier ? 'Nothing was sent this month.' : 'Nothing was sent yet.',
	requests: (requests: number) => count(requests, 'request'),
	withoutWords: (money: string) => `${money} without words`,
	made: (images: number) => `${count(images, 'image')} made`,
	answers: (answers: number) => count(answers, 'answer'),
	charged: (attempts: number) => `${formatNumber(attempts)} probably charged without a result`,
	unknown: (attempts: number, isAll: boolean) =>
		`${formatNumber(attempts)}${isAll ? '' : ' more'} may have been charged`,
	agents: 'Budget of Agents',
	noBudget: 'You confirm each image that an agent or another extension requests',
	usedToday: (used: number, allowed: number) =>
		`${formatNumber(used)} of ${count(allowed, 'image')} used today`,
	changeBudget: 'change in the settings',
	eachImage: (money: string) => `${money} an image`,
	noPrices: 'to see money beside each number of requests',
	prices: {
		saved: 'Saved in your user settings; select a price to change it',
		currencyPlaceholder: 'Select the currency of your service’s prices',
		done: 'Done',
		currency: 'Currency',
		asEachImage: 'as each image',
		notSet: 'not set',
		names: { image: 'each image', words: 'each request to a language model' },
		quality: (quality: string) => `${quality} quality`,
		prompt: (what: string, currency: string, canBeEmpty: boolean) =>
			`What your service charges for ${what}, in ${currency}${canBeEmpty ? '; empty for no price of its own' : ''}`,
		problems: {
			notANumber: (text: string) =>
				text === '' ? 'Enter a price, such as 0.04.' : `“${text}” is not a price, such as 0.04.`,
			ambiguous: (text: string) =>
				`“${text}” can be read in two ways. Write it with a decimal point, or without the comma.`,
		},
	},
};

export const setupMessages = {
	getStarted: 'Get Started with Easel',
	title: 'Set Up Image Service',
	address: 'The address of your image service, as its documentation shows it',
	kind: (address: string) => `The kind of image service at ${address}`,
	kinds: {
		standard: ['Standard image service', 'POST /v1/images/generations, with a key'],
		openai: ['OpenAI or a proxy of it', 'the fields of OpenAI, with a key'],
		azure: ['Azure OpenAI behind a gateway', 'a deployment, with the header api-key'],
		local: [
			'Local or other server',
			'stable-diffusion.cpp, LocalAI, vLLM and others; a key is optional',
		],
	} satisfies Record<ServiceId, readonly [label: string, description: string]>,
	deployment: 'The name of the deployment of the image model, as Azure shows it',
	deploymentEmpty: 'Enter the name of the deployment. It is in its target address.',
	deploymentWrong: 'A name of a deployment has letters, digits, dots, hyphens and underscores.',
	selectServerModel: 'Select the model for images, as the server names it',
	ownModel: 'The server’s own choice',
	useNoKey: 'Leave empty if the server asks for no key',
	connecting: (address: string) => `Connecting to ${address}`,
	connectingDetail: 'no image, no cost',
	notReached: (address: string) => `Easel could not connect to ${address}.`,
	tryAgain: 'Try Again',
	changeAddress: 'Change Address',
	changeKey: 'Change API Key…',
	removeKey: 'Remove API Key',
	current: (address: string, isStored: boolean) =>
		`${address}, with ${isStored ? 'a stored key' : 'the key in EASEL_API_KEY'}`,
	useAnyway: 'Use Anyway',
	done: (connection: string) => `Easel is set up. ${connection}`,
	reached: (address: string) => `Connected to ${address}.`,
	listed: (models: number, keyCounts: boolean) =>
		`${keyCounts ? 'The key is accepted. ' : ''}The service lists ${count(models, 'model')}`,
	inUse: (model: string, isListed: boolean) =>
		model === '' ? '.' : isListed ? `, with ${model}, which is in use.` : `; ${model} is in use.`,
	unchecked: (status: number) =>
		`The service has no list of models (HTTP ${String(status)}), so the key could not be checked without a purchase.`,
	notTested: 'Set up an image service first.',
	showModels: 'Show Models',
	selectImageModel: 'Select the model for images',
	modelInUse: 'in use',
	setUp: 'Set Up…',
	doneUnseen: (address: string) => `Easel is set up for ${address}.`,
	generateFirst: 'Generate Your First Image',
	keyTitle: 'Set API Key',
	keySet: (address: string) => `Easel: API key for ${address} set`,
	useEnvironmentKey: 'Leave empty to use the key in EASEL_API_KEY',
	useCurrentKey: 'Leave empty to use the current key',
	key: 'API key',
	/** @param isLost whether one was stored that is gone */
	keyPrompt: (address: string, isLost: boolean) =>
		isLost
			? `The key for ${address} is gone: this machine has no keyring, so VS Code keeps secrets in memory. To keep the key, set EASEL_API_KEY before VS Code starts.`
			: `The API key for ${address}. It is stored in your system's secret storage and sent to this address only.`,
	keyRefused: (address: string, words: string) => `${address} does not accept this key: ${words}`,
	keyRemoved: (address: string) => `The API key for ${address} was removed.`,
	environmentKey: 'Easel now uses EASEL_API_KEY from the environment.',
	showStudio: 'Open Image Studio',
	dataInUse: (images: number) =>
		`${count(images, 'image')} ${plural(images, 'is', 'are')} not finished. Cancel, save or discard ${plural(images, 'it', 'them')} first. Nothing was removed.`,
	removeDataQuestion: 'Remove all data that Easel has stored on this machine?',
	removeDataDetail:
		'API keys, prompts, the journal, the ledger, the gallery, thumbnails, and the backups of replaced and deleted images are removed for good. Your images, what is written in them, and your settings stay. Close other windows first.',
	removeData: 'Remove All Data',
	removingData: 'Removing data…',
	dataRemoved:
		'All data of Easel was removed. Reload the window to begin anew, or uninstall Easel now.',
	reload: 'Reload Window',
};

export const studioMessages = {
	title: 'Image Studio',
	ownSize: 'Image Studio: Size',
	tooManyReferences: (most: number) =>
		`No more than ${String(most)} reference images can be attached. Nothing was added.`,
	againQuestion: (images: number) => `Generate ${count(images, 'image')} again?`,
	saved: (name: string, note: string) => `Saved ${name}. ${note}`,
	saveImageAs: 'Save Image As',
	promptCopied: 'Easel: prompt copied',
	retryQuestion: (why: string) => `${why} Retry?`,
	failedAfter: (time: string) => `Failed after ${time}.`,
	unknownAnswer: 'Easel does not understand this answer of the service.',
	answerStored: 'Answer stored',
	failed: 'Failed',
	interrupted: 'Interrupted',
	notSaved: 'Not saved',
	transparent: 'transparent background',
	quality: (quality: string) => `${quality} quality`,
	newPicture: 'This makes a different image; the service cannot repeat one.',
	removedReferences: (names: readonly string[]) =>
		names.length === 1
			? `${names[0] ?? ''} was removed; it is not sent.`
			: `${list(names, 5)} were removed; they are not sent.`,
	notAFile: 'Only files can be used as reference images.',
	outsideWorkspace: (name: string) =>
		`“${name}” is outside this workspace. Choose Browse… to use it.`,
	deleted: (name: string) => `${name} was deleted.`,
	deletedAll: (images: number) => `${count(images, 'image')} were deleted.`,
	deleting: 'Deleting images',
	round: (number: number) => `Round ${String(number)}`,
	missingForRound: (name: string) =>
		`${name} is missing, so this round cannot be repeated. Choose Reuse Prompt to continue without it. Nothing was sent.`,
	styleGuide: 'style guide',
	openFolder: (name: string) => `Open a folder first; ${name} is not in one.`,
	noFolders: 'This workspace has no folder with images.',
	folderTitle: 'Contact Sheet',
	folderPlaceholder: 'Select the folder to show',
	outputFolder: (images: string) => `${images} · output folder`,
	folderTruncated: (shown: number, more: number) =>
		`Showing the first ${count(shown, 'image')} by name; ${formatNumber(more)} more are not shown.`,
	linksSkipped: (links: number) =>
		`${count(links, 'link')} ${plural(links, 'leads', 'lead')} out of the workspace and ${plural(links, 'is', 'are')} not shown.`,
	largeGif: (size: string) => `GIF files over ${size} are not shown here.`,
	styleChanged: 'The style guide has changed. Nothing was sent. Check it and try again.',
	referencesChanged:
		'The reference images have changed. Nothing was sent. Check them and try again.',
	nothingSent: (why: string) => `${why} Nothing was sent.`,
	openItsFolder: (path: string) => `${path} is outside this workspace. Open its folder first.`,
	missing: { file: 'The file is missing.', folder: 'The folder is missing.' },
	unreadable: {
		file: (code: string) => `The file cannot be read (${code}).`,
		folder: (code: string) => `The folder cannot be read (${code}).`,
	},
	unknownError: 'unknown error',
};

export const styleMessages = {
	title: 'Create Style Guide',
	descriptionTitle: 'Create Style Guide: Description',
	selectImage: 'Open or select the image to add to the style guide.',
	exists: (name: string) => `${name} is already the style guide of this folder.`,
	outsideWorkspace: (name: string) =>
		`${name} is outside the workspace. Copy it into the workspace first.`,
	added: (name: string) =>
		`${name} is now part of the style guide. Requests are sent as edits, so quality does not apply.`,
	changed: (name: string) => `${name} has changed since, so it was not undone.`,
	example: 'For example: flat illustration, thick outlines, warm colors, no lettering',
	prompt: 'The style of all images. Leave empty to use images only.',
	references: 'Images whose style all others take; sent with each prompt',
	tooLong: (max: number) => `A style guide can have up to ${formatNumber(max)} characters.`,
	tooManyReferences: (max: number) =>
		`A style guide can have up to ${formatNumber(max)} reference images. Nothing was written.`,
	openFolder: 'Open a folder first, then create a style guide in it.',
	workspaceFolder: 'Select the workspace folder for the style guide',
	noFile: 'The setting easel.style.file is empty. Set it to a path such as .easel/style.md first.',
	notWritten: (name: string) => `${name} cannot be written. Check its permissions and try again.`,
};

/** Parts of an agent's wish that its question shows. */
interface AgentQuestion {
	readonly caller: string;
	readonly isEdit: boolean;
	readonly count: number;
	readonly prompt: string;
	readonly size: string;
	readonly quality: string | undefined;
	readonly background: 'transparent' | undefined;
	/** The files, as they would be named now. */
	readonly targets: readonly string[];
	/** The document that the image link is written into. */
	readonly document: string | undefined;
	readonly altText: string | undefined;
	readonly style: string | undefined;
	/** The style guide, where the user has not agreed to it as it is now. */
	readonly newStyle:
		| {
				readonly text: string;
				readonly references: readonly string[];
				/** True if the budget covers the images, and nothing else is to be asked about. */
				readonly isOnlyReason: boolean;
		  }
		| undefined;
	readonly references: readonly string[];
	/** The state of the same image for another wish. */
	readonly sameImage: 'beingMade' | 'made' | undefined;
	/** Cost of all of it, where the user has set prices. */
	readonly price: string | undefined;
	readonly budget: BudgetNumbers & { readonly problem?: string | undefined };
}

const sameImageWords = {
	beingMade: 'the same image is being made already',
	made: 'the same image was made in the last 30 minutes',
};

/** `new: “Flat illustration”, with palette.png` */
function newStyleWords({ text, references }: NonNullable<AgentQuestion['newStyle']>): string {
	const parts = [
		text === '' ? '' : `“${text}”`,
		references.length === 0 ? '' : `with ${list(references, maxNamedFiles)}`,
	];
	return `new: ${parts.filter(Boolean).join(', ')}`;
}

/** Texts about agents that the user reads, and texts that agents read. */
export const agentMessages = {
	altTexts: 'Alt texts of an agent',
	altTextsShown: (texts: number) =>
		`The user sees ${count(texts, 'alt text')} in a preview and decides. Do not repeat the call.`,
	noImageAtLine: (line: number) =>
		`Line ${String(line)} has no image that takes an alt text. Call check_images for the lines.`,
	showPrompt: 'Show Prompt',
	decline: 'Decline',
	waitsForAnswer: (caller: string) => `${caller} asks for an image`,
	takenBack: 'The agent has already cancelled this request. Nothing was sent.',
	question: ({ caller, isEdit, prompt, size, quality, targets, ...wish }: AgentQuestion) => {
		const { background, references, style, budget, document, altText } = wish;
		const wanted = isEdit ? count(wish.count, 'edit') : count(wish.count, 'image');
		const price = wish.price === undefined ? '' : `, ${wish.price}`;
		const { newStyle } = wish;
		const styleWords = newStyle === undefined ? '' : ` (${newStyleWords(newStyle)})`;
		return [
			`${caller} asks for ${wanted} (${count(wish.count, 'paid request')}${price}): “${prompt}”`,
			wish.sameImage === undefined ? '' : sameImageWords[wish.sameImage],
			[
				size,
				quality === undefined ? '' : `${quality} quality`,
				background === undefined ? '' : 'transparent background',
				`saved as ${list(targets, wish.count)}`,
			]
				.filter(Boolean)
				.join(', '),
			document === undefined
				? ''
				: `${wish.count > 1 ? 'link of the first to arrive' : 'link'} in ${document}`,
			altText === undefined ? '' : `alt text “${altText}”`,
			style === undefined ? '' : `style ${style}${styleWords}`,
			references.length === 0 ? '' : `made from ${list(references, maxNamedFiles)}`,
			...(budget.problem === undefined ? budgetLeft(budget) : [budget.problem]),
			newStyle?.isOnlyReason ? 'your budget covers it, but the style guide is new to you' : '',
		]
			.filter(Boolean)
			.join(' · ');
	},
	noFolder: 'No folder is open in this window of VS Code. Ask the user to open the project first.',
	otherWorkspace: (folder: string, open: readonly string[]) =>
		`This window of VS Code does not have “${folder}” open; it has ${open.length === 0 ? 'no folder' : list(open, maxNamedFiles)}. Call again with one of these as workspace, or ask the user to open the folder. Nothing was bought.`,
	late: 'Easel has not finished this call in time, and goes on with it. Call again with the same arguments and the same request_key: that finds what this call requests, and buys nothing twice.',
	notSetUp:
		'Easel has no image service or no API key. Ask the user to run “Easel: Set Up Image Service…” in VS Code. Nothing was bought.',
	unknownTool: (names: readonly string[]) =>
		`Easel does not have this tool. The tools are ${names.join(', ')}.`,
	tooManyCalls: (most: number) =>
		`More than ${formatNumber(most)} calls within a minute. Wait a minute, then go on. Nothing was bought.`,
	tooManyWishes: (most: number) =>
		`More than ${formatNumber(most)} new images within an hour. Go on later. Nothing was bought.`,
	tooManyWaiting: (most: number) =>
		`${formatNumber(most)} requests wait for the user already. Wait for them with wait_for_image before you ask for more. Nothing was bought.`,
	wrongArguments: (problems: readonly string[]) =>
		`${problems.join(' ')} Correct ${problems.length === 1 ? 'this' : 'all of this'} and call again. Nothing was bought.`,
	missingField: (field: string, expected: string) =>
		`${field} is missing or empty: ${expected} is expected.`,
	wrongField: (field: string, given: string, expected: string) =>
		`${field}: ${given} was given, but ${expected} is expected.`,
	unknownFields: (fields: readonly string[], known: readonly string[]) =>
		`${list(fields, maxNamedFiles)} ${plural(fields.length, 'is not a field', 'are not fields')} here. The fields are ${known.join(', ')}.`,
	outsideField: (field: string, given: string, folders: readonly string[], example: string) =>
		`${field}: ${given} lies outside of the workspace. Its folders are ${list(folders, maxNamedFolders)}; use a path in one of them, such as ${example}.`,
	unfoundField: (field: string, given: string, folder: string, example: string) =>
		`${field}: ${given} was not found from ${folder}. Use the path of a file that exists, such as ${example}.`,
	refusedField: (field: string, given: string, why: string) => `${field}: ${given}: ${why}`,
	givenData: (type: string, length: number) => `${type} with ${formatNumber(length)} characters`,
	givenLong: (length: number) => `a text of ${formatNumber(length)} characters`,
	expected: {
		paths: {
			image: 'the path of an image file in the workspace',
			document: 'the path of a document in the workspace',
			target: 'a .png file or a folder that ends with /, in the workspace',
			folder: 'the path of a folder or document in the workspace',
			workspace: 'the absolute path of a project',
		},
		size: 'auto, or width and height in pixels',
		text: (most: number) => `a text of at most ${formatNumber(most)} characters`,
		choice: (options: readonly string[]) => `one of ${options.join(', ')}`,
		boolean: 'true or false',
		number: (from: number, to: number | undefined) =>
			to === undefined
				? `a whole number of at least ${formatNumber(from)}`
				: `a whole number from ${formatNumber(from)} to ${formatNumber(to)}`,
		list: (most: number, of: string) => `a list of at most ${formatNumber(most)}, each ${of}`,
		object: (needed: readonly string[], others: readonly string[]) =>
			`an object with ${[...needed, ...others.map((one) => `${one} (optional)`)].join(', ')}`,
		suchAs: (expected: string, example: string) => `${expected}, such as ${example},`,
	},
	refused: (why: string) => `${why} Correct it and call again. Nothing was bought.`,
	unexpected: (what: string) =>
		`${what} Repeat the call as it was: an image that was requested before is found again, not bought twice. If that does not help, tell the user.`,
	conflict: (key: string, before: string, now: string) =>
		`The request_key “${key}” is used by another call. Before: ${before} Now: ${now} Repeat the call as it was, or choose another request_key for another image. Nothing was bought.`,
	targetExists: (path: string) =>
		`${path} exists. If it is what you need, use it; look with get_image. Else choose another name for target, or change it with edit_image. Nothing was bought.`,
	targetNear: (target: string, near: readonly string[]) =>
		`${target} does not exist, but ${list(near, maxNamedFiles)} may be what is meant. If so, correct the link in place of making an image. Else choose another file name for target. Nothing was bought.`,
	targetComing: (path: string, job: string) =>
		`An image for ${path} is being made already, by job ${job}. Wait for it with wait_for_image. Nothing was bought.`,
	targetRequested: (path: string) =>
		`An image for ${path} is being made already, or waits to be saved; an agent has not asked for it. Look for it with list_images later. Nothing was bought.`,
	lookingTakesLong:
		'Looking for an existing image of this name takes long. Call again with the same arguments. Nothing was bought.',
	missingTakesLong:
		'Looking for missing images takes long here. Name a folder, or a document, and call again. Nothing was bought.',
	wordsNeedUser:
		'The rule words asks a language model of the user, so only their Check Images… checks it.',
	checkTakesLong:
		'Checking the images takes long here. Name a folder, or a document, and call again.',
	noDocument: (path: string) =>
		`insert_into.document: ${path} cannot be opened as a text document.`,
	notADocument: (path: string) =>
		`insert_into.document: Easel writes no image links into ${path}. Leave out insert_into, and write the link yourself when the image is there.`,
	lineBeyondEnd: (path: string, lines: number) =>
		`insert_into.line: ${path} has ${count(lines, 'line')}.`,
	unknownJob:
		'Easel does not know this job. Use the job that generate_image or edit_image has answered with.',
	exportTakesLong: 'The export takes too long. Ask for a smaller width, or for webp.',
	notExported: (why: string) => `There is no export: ${why}`,
	linksNotUpdated: (path: string, why: readonly string[]) =>
		`${path} is saved, but not every document shows it. ${why.join(' ')}`,
	keyless:
		'The call has no request_key, so the same arguments within 30 minutes are the same request.',
	confirming: (caller: string) =>
		`Easel asks the user in VS Code whether ${caller} may request this. Call wait_for_image; do not repeat the call with another key.`,
	endTurn:
		'Easel asks the user in VS Code, who has not answered yet. Tell the user to look there, at the notification or the item of Easel in the status bar, and end your turn. The job goes on when the user answers; wait_for_image finds it later. Do not repeat the call with another key.',
	confirmingElsewhere: 'Easel asks the user in another window of VS Code. Call wait_for_image.',
	running:
		'The image is being made. Call wait_for_image until it is done; do not ask for it again.',
	asksUser:
		'An attempt has failed, and the user is asked whether to send it again, because it may be charged twice. Call wait_for_image.',
	done: {
		whole: 'The image is saved. Look at the words in it before you use it.',
		deleted:
			'The image was made, and the user has deleted it since. Do not ask for it again unless the user tells you to; then use another request_key.',
	},
	someDone: (made: number, wished: number) =>
		`${formatNumber(made)} of ${count(wished, 'image')} are there. Where failures do not say why, the user has cancelled or deleted the others.`,
	notInserted:
		'The image link was not written, because the document has changed or is gone. Write it yourself.',
	oneLinked: (name: string) =>
		`Only ${name} is linked in the document, the first of these. To use another one, change the link.`,
	failed: {
		noImage:
			'No image was saved. Tell the user what failures say. When that is solved, ask again with another request_key; that is another paid request.',
		unsaved:
			'An image has arrived, and Easel stores it until the user saves it. It is already paid for, so do not ask for it again. Tell the user what failures say.',
		notBegun:
			'Nothing was sent, and nothing was bought. Tell the user what failures say. When that is solved, repeat the call with the same request_key.',
		notSent:
			'The window that asked the user was closed. Nothing was sent. Repeat the call with the same request_key and arguments to go on.',
		interrupted:
			'The window was closed just before it was sent, or the user has put aside what came of it. Ask the user; another request_key requests it anew.',
	},
	unsaved: (why: string) =>
		`The image has arrived, but could not be saved in the workspace. ${why} The user can save it in VS Code.`,
	cancelled: 'The request was cancelled. Another request_key asks for it anew.',
	declined:
		'The user has declined this. Do not ask for it again unless the user tells you to; then use another request_key.',
	cannotCancel: 'Another window of VS Code makes this image, and it can be cancelled there alone.',
	notAnImage: (path: string, why: string) => `${path}: ${why}`,
	cmyk: (path: string) =>
		`${path} is a CMYK image, made for print: the service may refuse it or change its colors. Convert it to RGB.`,
	listed: (first: number, last: number, all: number) =>
		`${formatNumber(first)} to ${formatNumber(last)} of ${count(all, 'image')}.`,
};
