/** The texts of this room: buttons and titles, parts of a line, whole sentences. */
import type { KeptRest } from './images/marks.js';
import { count, formatNumber, list, plural } from './images/wording.js';

export const labels = {
	add: 'Add',
	titleOf: (title: string, option: string) => `${title}: ${option}`,
	options: 'Options',
	size: 'Size',
	quality: 'Quality',
	background: 'Background',
	ownSize: 'Other Size…',
	done: 'Done',
	drafts: (images: number) => `Make ${count(images, 'Draft')} (${count(images, 'Paid Request')})`,
	oneImage: 'Make One Image',
	selectImage: 'Select Image',
	allowForSession: 'Allow for This Session',
	browse: 'Browse…',
	cancel: 'Cancel',
	change: 'Change…',
	changeRequest: 'Change Request…',
	choose: 'Choose',
	chooseDraft: 'Choose…',
	chooseFolder: 'Choose Folder…',
	chooseFolderTitle: 'Choose a Folder for the Image',
	compare: 'Compare',
	copyImageLink: 'Copy Image Link',
	copyLink: 'Copy Link',
	discard: 'Discard',
	discardAsk: 'Discard…',
	dontSend: "Don't Send",
	edit: 'Edit…',
	generate: 'Generate',
	generateWithoutStyle: 'Generate Without Style',
	imagesInProgress: 'Easel: Images in Progress',
	insert: 'Insert',
	insertAtCursor: 'Insert at Cursor',
	insertHere: 'Insert Here',
	numberOfImages: 'Number of Images',
	ok: 'OK',
	openFile: 'Open File',
	openLink: 'Open Link',
	openSettings: 'Open Settings',
	openStyleGuide: 'Open Style Guide',
	referenceImages: 'Reference Images',
	revealInExplorer: 'Reveal in Explorer View',
	retry: 'Retry',
	retryAsk: 'Retry…',
	retryMany: (images: number) => `Retry ${formatNumber(images)}`,
	retryMayCost: 'Retry (May Be Charged Twice)',
	save: 'Save…',
	saveAnswerAs: 'Save Answer As',
	saveAs: 'Save As…',
	saveHere: 'Save Here',
	saveImageAs: 'Save Image As',
	sendOnce: ['Send a Third Time', 'Send a Fourth Time', 'Send a Fifth Time', 'Send a Sixth Time'],
	selectModel: 'Select Language Model…',
	sendRequests: (requests: number) => `Send ${count(requests, 'Request')}`,
	sendSmaller: 'Send Smaller',
	setApiKey: 'Set API Key',
	setUp: 'Set Up Image Service',
	show: 'Show',
	showWhatIsSent: 'Show What Is Sent',
	style: 'Style',
	styleGuide: (path: string) => `Style Guide ${path}`,
	typeModel: 'Type a Model…',
	undo: 'Undo',
	useAnotherKey: 'Use Another Key',
	useNew: 'Use New',
	useWhole: 'Use Whole Answer',
	useStyle: (name: string) => `Use ${name}`,
	useStyleGuide: 'Use Style Guide',
	verify: 'Verify Organization',
	whereToSave: 'Save the Image When It Arrives',
	withoutStyle: 'Without Style',
	writeInEditor: 'Write in Editor',
};

/** The list of exports. */
export const presetMessages = {
	title: (name: string) => `Export ${name}`,
	placeholder: 'Select a preset, or type your own, such as webp 1200 200kB',
	notUnderstood: 'Type a format with a size or a weight, such as jpeg 1200x630 300kB',
	estimating: 'estimating…',
	/** `weights`: one for each file. */
	estimate: (weights: readonly string[]) => weights.join(' and '),
	white: 'transparent parts become white',
	tooHeavy: (reached: string) => `not possible: at least ${reached}`,
	impossible: 'not possible',
	linksLeft: (documents: readonly string[]) =>
		`The links in ${list(documents, 3)} stay: LaTeX takes no WebP.`,
};

/** `93 %`, in one line. */
const percent = (part: number) => `${formatNumber(Math.round(part * 100))}\u{a0}%`;

export const phrases = {
	readingPicture: 'Reading the picture…',
	findingModel: 'Looking for a language model…',
	modelSelected: (name: string) => `Easel: language model ${name}`,
	selectModel: 'Select the language model for prompts, alt texts and words',
	sendToModel: 'Enter sends this to the language model',
	about: (amount: string) => `about ${amount}`,
	/** Report of images that an agent has requested without a question. */
	agentMade: ({ caller, made, asked, money, paths, left }: AgentSpending) =>
		[
			`${caller} made ${made < asked ? `${formatNumber(made)} of ` : ''}${count(asked, 'image')}${money === undefined ? '' : ` (${money})`}: ${list(paths, maxNames)}`,
			...left,
		].join(' · ') + '.',
	budgetProblem: (why: string) =>
		`The budget cannot be read or used, so the user confirms each image: ${why}`,
	/** With what it costs, where that is known: `4 images · about €0.16`. */
	withMoney: (words: string, money: string | undefined) =>
		money === undefined ? words : `${words} · ${money}`,
	typeModel: 'The name of the model, as the model list of your service has it',
	automaticSize: 'automatic size',
	attempt: (number: number) => `attempt ${String(number)}`,
	eachCharged: (requests: number) =>
		requests === 1 ? '1 request' : `${formatNumber(requests)} requests, each charged`,
	eachIsARequest: 'Each image is a separate request',
	experimental: 'experimental',
	images: (images: number) => count(images, 'image'),
	imagesAt: (images: number, words: string) =>
		images === 1 ? `Image · ${words}` : `${count(images, 'image')} · ${words}`,
	/** `“A pier at dawn”`, `“A pier at dawn” and 2 other prompts` */
	batchTitle: (prompt: string, others: number) =>
		others === 0 ? `“${prompt}”` : `“${prompt}” and ${count(others, 'other prompt')}`,
	/** `2 saved · 1 failed · 2 running · 1:12 · waiting for the image · about 1 minute` */
	batchProgress: (
		{
			saved,
			failed,
			notSaved,
			running,
			queued,
		}: Record<'saved' | 'failed' | 'notSaved' | 'running' | 'queued', number>,
		elapsed: string,
		waitingFor: string | undefined,
	) =>
		[
			...Object.entries({ saved, failed, 'not saved': notSaved, running, queued }).flatMap(
				([words, images]) => (images === 0 ? [] : `${formatNumber(images)} ${words}`),
			),
			elapsed,
			...(waitingFor === undefined ? [] : [waitingFor]),
		].join(' · '),
	imagesFor: (images: number, words: string) =>
		images === 1 ? `Image ${words}` : `${count(images, 'image')} ${words}`,
	/** `1 running · 2 to decide · 1 not saved · 1 new draft`; empty where there is nothing */
	waiting: ({
		running,
		toDecide,
		notSaved,
		newDrafts,
	}: Record<'running' | 'toDecide' | 'notSaved' | 'newDrafts', number>) =>
		[
			...(running === 0 ? [] : [`${formatNumber(running)} running`]),
			...(toDecide === 0 ? [] : [`${formatNumber(toDecide)} to decide`]),
			...(notSaved === 0 ? [] : [`${count(notSaved, 'image')} not saved`]),
			...(newDrafts === 0 ? [] : [count(newDrafts, 'new draft')]),
		].join(' · '),
	answeredAlready: 'You have already answered this.',
	compareNewDraft: (original: string) => `Compare the new draft of ${original}`,
	chooseAmongDrafts: (drafts: number, prompt: string) =>
		`Choose among ${count(drafts, 'draft')} of “${prompt}”`,
	andMore: (more: number) => `and ${formatNumber(more)} more`,
	longerThanUsual: (time: string) => `longer than usual (${time})`,
	noReferences: 'none',
	olderStyle: 'older style',
	paidRequests: (requests: number) => count(requests, 'paid request'),
	pastedImage: 'the pasted image',
	receiving: 'receiving the image',
	referenceImages: (images: number) => count(images, 'reference image'),
	references: 'Images that the new image is based on; use the button above to browse',
	noReferencesHere:
		'This workspace has no PNG, JPEG or WebP images; use the button above to browse',
	requestsTime: (requests: number, money: string | undefined, time: string) =>
		[count(requests, 'paid request'), money, time].filter(Boolean).join(' · '),
	saving: 'saving…',
	selectOption: 'Select what to change',
	tooManyReferences: (images: number, max: number) =>
		`The service takes at most ${String(max)} reference images: remove ${String(images - max)}`,
	atMost: (words: string, max: number) => `${words}; at most ${String(max)}`,
	notASize: 'Enter width and height in pixels, for example 1280x640.',
	brokenSize: (rule: string, nearest: string) =>
		`For this service ${rule}. The nearest size is ${nearest}.`,
	ownSize: (service: string, rule: string) => `Width and height for ${service}: ${rule}`,
	selectSize: 'Select the size; it is remembered for this folder',
	automaticBackground: 'Auto',
	transparent: 'Transparent',
	referencesIgnoreQuality: 'With reference images the service ignores quality',
	qualityIgnored: 'ignored with reference images',
	qualityIgnoredByStyle: 'ignored with the reference images of the style',
	showImages: (words: string) => `Easel: ${words}. Click to decide, or to cancel images.`,
	style: (name: string, references: number) =>
		references === 0 ? `style: ${name}` : `style: ${name} with ${count(references, 'image')}`,
	unusableStyle: 'unusable style guide',
	unknownOriginal: 'an unknown image',
	waitingForImage: 'waiting for the image',
	wholePrompt: 'the whole prompt and all reference images',
	withoutStyle: 'without style',
	linkCopied: 'Easel: image link copied',
	promptLine: (prompt: string, others: number) =>
		others === 0 ? `Prompt: “${prompt}”` : `Prompt: “${prompt}” and ${formatNumber(others)} more`,
	styleLine: (path: string, references: readonly string[]) =>
		references.length === 0
			? `Style: ${path}`
			: `Style: ${path} with ${list(references, maxNames)}`,
	sizeLine: (size: string, quality?: string) =>
		quality === undefined
			? `Size: ${size.replace('x', ' × ')}`
			: `Size: ${size.replace('x', ' × ')}, ${quality} quality`,
	fileLine: (path: string, images: number) =>
		images === 1 ? `Saved as: ${path}` : `Saved as: ${path}, each with its own name`,
	callers: { tool: 'An agent', mcp: 'An agent', api: 'Another extension' },
	requestedBy: (name: string) => `By ${name}`,
	theAnswer: 'The answer',
	theService: 'the image service',
	workspaceFolder: 'Select the workspace folder for the image',
};

/** Stages of an image, in the notification of its progress and in the studio. */
export const progress = {
	asking: 'Needs your decision',
	checking: 'Checking…',
	failed: 'failed',
	askAfterFailure: 'An attempt failed and needs your decision.',
	queued: 'Queued',
	queuedWhy: 'Queued; the service gets a few requests at a time',
	retryAfterFailure: 'An attempt failed and will be retried.',
	saving: 'Saving…',
	sending: 'sending',
	done: 'done',
	waiting: 'Waiting',
	unreachable: 'Easel cannot reach the process that waits for this image. Checking again…',
	busy: (seconds: number) =>
		seconds === 0
			? 'The service is busy (429). Retrying when another image is done.'
			: `The service is busy (429). Retrying in ${String(seconds)} s.`,
	noConnection: (seconds: number) =>
		`No connection to the service. Retrying in ${String(seconds)} s.`,
	serviceFailed: (status: number, seconds: number) =>
		`The service failed (${String(status)}). Retrying in ${String(seconds)} s.`,
	noAnswer: (elapsed: string, seconds: number) =>
		`No answer after ${elapsed}. You may already be charged. Retrying in ${String(seconds)} s (Cancel to stop).`,
	asleep: (seconds: number) =>
		`No answer: the computer was asleep. You may already be charged. Retrying in ${String(seconds)} s (Cancel to stop).`,
	brokenWhileReceiving: (seconds: number) =>
		`The connection broke while the image was arriving. You have probably been charged. Retrying in ${String(seconds)} s (Cancel to stop).`,
	diskFull:
		'The image has arrived but the disk is full. Free some space; Easel keeps it in memory until then.',
	diskRefuses: (code: string) =>
		`The image has arrived but cannot be stored (${code}). Easel keeps it in memory and tries again.`,
	diskRefusesShort: 'The image cannot be stored.',
};

/** Words on what a failure means for the user's money. */
export const money = {
	notSent: 'Nothing was sent.',
	rejected: 'You were not charged.',
	unknown: 'You may already be charged.',
	unknownEarlier: 'You may already be charged for an earlier attempt.',
	charged: 'You have probably been charged.',
	cancelled: 'You may still be charged.',
	cancelledFree: 'Cancelled. You were not charged.',
	cancelledUnknown: 'Cancelled. You may still be charged.',
	chargedEarlier: 'You have probably been charged for an earlier attempt.',
	unknownForSome: 'You may already be charged for some of them.',
	chargedForSome: 'You have probably been charged for some of them.',
	sentTwiceCharged: 'Sent twice; you have probably been charged for both.',
	sentOftenCharged: (times: number) =>
		`Sent ${String(times)} times; you have probably been charged each time.`,
	sentTwice: 'Sent twice; you may be charged for both.',
	sentOften: (times: number) => `Sent ${String(times)} times; you may be charged each time.`,
};

interface AgentSpending {
	readonly caller: string;
	readonly made: number;
	readonly asked: number;
	readonly money: string | undefined;
	readonly paths: readonly string[];
	/** Words on what is left of the budget. */
	readonly left: readonly string[];
}

/** Use and limit of a budget, in images; at 0 each image is confirmed. */
export interface BudgetNumbers {
	readonly used_today: number;
	readonly allowed_today: number;
}

/** Returns what is left of a budget: `1 of 10 left today`; nothing where there is none. */
export function budgetLeft({ used_today: used, allowed_today: allowed }: BudgetNumbers): string[] {
	return allowed > 0
		? [`${formatNumber(Math.max(0, allowed - used))} of ${formatNumber(allowed)} left today`]
		: [];
}

export const messages = {
	sizeNotOffered: (service: string, nearest: string) =>
		`is not offered by ${service}; the nearest size is ${nearest}`,
	mastersPublished: (folder: string) =>
		`must be a folder that your site does not publish: it publishes ${folder}, so the originals and their prompts would be public`,
	notAnExport: 'must be an export, such as webp 1200 200kB, or the name of a preset',
	noImageAtCursor: 'Put the cursor on an image link in a document.',
	notExported: (why: string) =>
		`The image was not exported, so documents show the original: ${why}`,
	exportChanged: (name: string) =>
		`${name}, which documents show, was changed since it was exported. It stays as it is; export the image again to replace it.`,
	// Language models
	modelsOff: 'Language models are turned off in the settings.',
	noModel:
		'No language model is available. Sign in to one in VS Code, or enter a model of your service in the settings.',
	noEditorModel: 'VS Code has no language model here. Sign in to one, or choose another provider.',
	modelReason: 'Easel sends what you have just confirmed.',
	waitAndRepeat: 'Wait a moment, then try again.',
	// Failures
	answered: (status: number, words: string) =>
		`The image service answered with ${String(status)}: ${words}`,
	answeredWithError: (words: string) => `The image service answered with an error: ${words}`,
	asleep: 'The computer was asleep during the request.',
	keepsAnswer: 'Easel stores the answer until you save or discard it.',
	sentReferences: (references: number, size: string) =>
		references === 1
			? `1 reference image of ${size} was sent.`
			: `${formatNumber(references)} reference images were sent, ${size} in total.`,
	interrupted: (why: string) => `This image was interrupted${why}`,
	interruptedNamed: (prompt: string, why: string) => `The image “${prompt}” was interrupted${why}`,
	sentAt: (when: string) => `The request was sent ${when}.`,
	sentAtUnknown: 'Easel does not know when the request was sent.',
	ofThem: (images: number, why: string) => `${formatNumber(images)} of them: ${why}`,
	lateAnswer: 'This image had already ended, so nothing was sent again.',
	setUpMissing: 'Set the address and API key of your image service first.',
	nothingSmaller:
		'No reference image can be reduced for this size. Send fewer reference images, or choose a smaller size.',
	// Retrying
	retriedElsewhere: 'Another window is already retrying this. Nothing was sent.',
	alreadyHandled: 'This was already retried or dismissed. Nothing was sent.',
	uncheckedRetry: (prompt: string) =>
		`Easel could not check whether “${prompt}” was already retried, so it was not sent. Try again.`,
	uncheckedRetries: (images: number) =>
		`Easel could not check whether ${formatNumber(images)} images were already retried, so they were not sent. Try again.`,
	retryQuestion: (images: number) =>
		images === 1 ? 'Retry this image?' : `Retry ${formatNumber(images)} images?`,
	retryMayCost: (risky: number, images: number) =>
		risky < images
			? `You may already be charged for ${formatNumber(risky)} of them.`
			: 'You may already be charged.',
	// Images that have arrived
	added: (images: number) => `${count(images, 'image')} added.`,
	ended: (images: number, end: 'saved' | 'failed' | 'cancelled') =>
		`${count(images, 'image')} ${end}.`,
	counts: ({
		asked,
		saved,
		failed,
		cancelled,
	}: Record<'asked' | 'saved' | 'failed' | 'cancelled', number>) =>
		`${formatNumber(saved)} of ${count(asked, 'image')} saved${failed > 0 ? `, ${formatNumber(failed)} failed` : ''}${cancelled > 0 ? `, ${formatNumber(cancelled)} cancelled` : ''}.`,
	discarded: (name: string) => `${name} was discarded.`,
	exportDiscarded: (name: string, original: string) =>
		`${name} was discarded; its original stays: ${original}.`,
	discardedMany: (images: number) => `${count(images, 'image')} were discarded.`,
	linkChanged: 'Its link has changed since, so it is still in the document.',
	linkNotRestored: (name: string) => `The place of ${name} was not found. Insert it at the cursor.`,
	movedNotDeleted: (name: string) => `${name} was moved or renamed, so it was not deleted.`,
	/** `Restored 93 % of the picture; the service had moved it by 4 px.` */
	restored: ({ share, changed, shift, scale, wasDeeper }: KeptRest) => {
		const changes = [
			...(shift >= 0.5 ? [`moved it by ${formatNumber(Math.round(shift))}\u{a0}px`] : []),
			...(Math.abs(scale - 1) >= 0.005 ? [`scaled it to ${percent(scale)}`] : []),
			...(changed >= 0.01 ? [`repainted ${percent(changed)} of that`] : []),
		];
		// Of a picture with marks it is never all, and never nothing.
		const part = percent(Math.min(0.99, Math.max(0.01, share)));
		const depth = wasDeeper === true ? ' in 8 bits per color, where the original has 16' : '';
		return `Restored ${part} of the picture${depth}${changes.length > 0 ? `; the service had ${list(changes)}` : ''}.`;
	},
	reframed: 'The service changed the framing, so the rest of the picture could not be restored.',
	originalChanged: (name: string) =>
		`${name} has moved or changed since, so the rest of the picture could not be restored.`,
	notRestored: (why: string) => `The rest of the picture could not be restored: ${why}`,
	wholeUsed: (path: string) => `The whole answer of the service: ${path}.`,
	newDraft: (original: string, path: string) => `New draft of ${original} is ready: ${path}.`,
	refused: (refused: number, unsent: number) =>
		`${formatNumber(refused)} refused, ${formatNumber(unsent)} not sent.`,
	darkSaved: (path: string, documents: number, light: string) =>
		documents === 0
			? `Saved ${path}, the dark variant of ${light}.`
			: `Saved ${path}. ${count(documents, 'document')} ${plural(documents, 'shows', 'show')} it in place of ${light} on dark pages.`,
	darkNotLinked: (documents: readonly string[]) =>
		`The links in ${list(documents, 3)} stay: Easel knows no form for dark pages there.`,
	darkElsewhere: 'It lies in another folder, so no document shows it yet.',
	darkLinksStay: (documents: readonly string[]) =>
		`${list(documents, 3)} changed since, so the links there stay.`,
	drafts: (images: number, prompt: string) => `${count(images, 'draft')} of “${prompt}” arrived.`,
	saved: (path: string, size: string) => `Saved ${path} (${size}).`,
	inserted: (path: string, document: string, line: number) =>
		`Added ${path} to ${document}, line ${formatNumber(line)}.`,
	placeDeleted: 'Its place in the document was deleted.',
	placeUnknown: 'The document has changed. Put the cursor where the image belongs.',
	documentGone: 'The document was closed or deleted; the image link was copied.',
	noDocument: 'No document is open; the image link was copied.',
	readOnlyDocument: 'The document is read-only; the image link was copied.',
	notRevealed: (path: string) =>
		`This file cannot be shown in a file manager; its path was copied: ${path}`,
	recipeInCopy: 'Its prompt is saved inside the copy, too.',
	recipeNotCopied: (file: string) => `Its prompt was not copied; it stays in ${file}.`,
	promptInImage: 'The prompt is saved inside the image; anyone who gets the file can read it.',
	promptBeside:
		'The prompt is saved in a file beside the image; anyone who gets that file can read it.',
	signed: 'The service has signed this image, so its prompt is saved in a file beside it.',
	// Images that are not saved yet
	cannotSave: (folder: string, why: string) => `The image cannot be saved in ${folder}: ${why}`,
	keepsImage: (problem: string) =>
		`${problem} The image is safe: Easel stores it until you save it.`,
	notSavedYet: 'This image is not saved yet.',
	savedElsewhere: 'This image was already saved or discarded.',
	otherWindow: 'Another window is saving this image. Go there, or close that window and try again.',
	discardImage: (name: string) => `Discard the image “${name}”?`,
	discardImageDetail: 'You paid for it, and no other copy exists.',
	discardAnswer: 'Discard the answer of the service?',
	discardAnswerDetail: 'You have probably been charged for it, and no other copy exists.',
	noFolderTakes: (prompt: string, code: string) =>
		`“${prompt}” has arrived, but no folder takes it (${code}). Free some space or choose a folder; Easel keeps the image in memory until then.`,
	keyNotHidden: (code: string) =>
		`The answer may contain your API key, which Easel could not hide (${code}). Free some space and try again.`,
	answerGone:
		'Another program removed this answer from Easel’s storage. Discard it to remove the entry.',
	// Deleted images
	changedNotDeleted: (name: string) => `“${name}” has just changed, so it was not deleted.`,
	notShared: (file: string, problem: string) =>
		`Stars, titles and notes could not be written to ${file}. They stay on this computer until they can. ${problem}`,
	deletedTooLongAgo: 'This image was deleted too long ago. Look for it in the recycle bin.',
	restoredAs: (name: string, back: string) =>
		`Another file is named ${name}, so the image was restored as ${back}.`,
	// Before a request is sent
	generateQuestion: (images: number, references: readonly string[]) => {
		const what = count(images, 'image');
		return references.length === 0
			? `Generate ${what}?`
			: `Generate ${what} from ${list(references, maxNames)}?`;
	},
	costLine: (requests: number, host: string, money: string | undefined) =>
		`Cost: ${count(requests, 'request')} to ${host}${money === undefined ? '' : `, ${money}`}; you may be charged for ${plural(requests, 'it', 'each')}.`,
	requestedFromOutside:
		'This request was started by a key binding, task, link or another extension.',
	tooManyAMinute: (max: number) =>
		`You allowed such requests for this session; this one exceeds ${String(max)} images a minute.`,
	sendQuestion: (requests: number) => `Send ${count(requests, 'request')} to the image service?`,
	sendDetail: (requests: number) =>
		requests === 1 ? 'You may be charged for it.' : 'You may be charged for each of them.',
	sendMoney: (requests: number, money: string) =>
		requests === 1 ? `It costs ${money}.` : `Together they cost ${money}.`,
	sendTime: (requests: number, time: string) =>
		requests === 1 ? `It usually takes ${time}.` : `Together they usually take ${time}.`,
	reducing: 'Easel: reducing the reference images…',
	// The style guide
	unusableStyle: 'The style guide cannot be used.',
	unusableStyleNamed: (name: string, why: string) =>
		`The style guide ${name} cannot be used. ${why}`,
	styleQuestion: (path: string) => `Use the style guide ${path}?`,
	styleFromUntrusted: 'It comes from a workspace that you do not trust.',
	styleFirst: 'You have not used it in this workspace before.',
	styleChanged: 'It has changed since you last used it.',
	styleText: (text: string) => `It adds to the prompt: “${text}”`,
	styleReferences: (names: readonly string[]) =>
		`It sends ${list(names)} as reference ${plural(names.length, 'image', 'images')}, so the service ignores quality.`,
	readStyle: 'Nothing was sent yet. Read the style guide, then choose.',
	styleNotText: 'It is not UTF-8 text.',
	styleNotAFile: 'It is not a regular file.',
	styleUnreadable: 'It cannot be read.',
	styleMissing: 'the file is missing. Create it with Create Style Guide…, or change the setting.',
	styleReferenceChanged: (name: string) =>
		`${name}, a reference image of the style, has changed. Nothing was sent. Try again with the current style.`,
	// What a command gets from other extensions, and settings
	mustBeUri: 'must be a URI or a path.',
	mustNotBeEmpty: 'must not be empty.',
	onlyFor: (command: string) => `is only valid for ${command}.`,
	unknownField: (known: readonly string[]) =>
		`is not a known field. Known fields are ${list(known)}.`,
	notAllowed: 'is not allowed.',
	needsFolder: 'a relative path needs an open folder.',
	outsideFolder: 'the path is outside the workspace folders.',
	mustBePng: 'must be a .png file, or a folder that ends with a slash; the service only makes PNG.',
	slowPattern: 'one of its patterns takes too long. Change or remove it.',
};

/** Number of file names one line of a question has at most. */
const maxNames = 5;

/** The page that shows a request before it is sent. */
export const preview = {
	name: 'What Is Sent.txt',
	intro: 'This is what Easel would send to the image service. Showing it sends nothing.',
	prompt: 'Prompt, from the next line on:',
	image: (index: number, all: number) => `Image ${String(index)} of ${String(all)}`,
	request: (references: number) =>
		references === 0
			? 'Request: a new image'
			: `Request: an edit with ${count(references, 'reference image')}`,
	size: (size: string) => `Size: ${size.replace('x', ' × ')}`,
	quality: (quality: string) => `Quality: ${quality}`,
	background: 'Background: transparent',
	qualityIgnored: 'not sent; with reference images the service ignores it',
	qualityUnset: 'not sent; the service decides',
	images: (images: number, money?: string) =>
		phrases.withMoney(
			images === 1
				? 'Images: 1 paid request'
				: `Images: ${formatNumber(images)} identical paid requests`,
			money,
		),
	styleGuide: (style: string) => `Style guide: ${style}`,
	styleLeftOut: 'not used for this image',
	noStyle: 'none',
	modelIntro: 'This is what Easel would send to a language model. Showing it sends nothing.',
	model: (name: string) => `Model: ${name}`,
	modelImage: (bytes: number) => `Image: ${formatNumber(bytes)} bytes`,
	instructions: 'Instructions:',
	text: 'Text, from the next line on:',
	reference: (index: number, path: string, part: 'own' | 'marked' | 'style') => {
		const notes = {
			own: '',
			marked: ' (copy with the marks drawn on it)',
			style: ' (style guide)',
		};
		return `Reference image ${String(index)}: ${path}${notes[part]}`;
	},
	overlay: {
		markup: 'Markup: the marks, laid over reference image 1',
		mask: 'Mask: only the marked places of reference image 1 are open for changes',
	},
};

/** Prompts by a language model. */
export const drafting = {
	draftTitle: 'Draft Prompt from Document',
	draftVerb: 'Draft Prompt',
	improveTitle: 'Improve Prompt',
	nothingToDraftFrom: 'Open a document and select text, or put the cursor into a section.',
	promptEmpty: 'Describe the image first.',
	sentPrompt: (length: number) => `sends the prompt, ${count(length, 'character')}`,
	sentText: (length: number, name: string) => `sends ${count(length, 'character')} of ${name}`,
	sentBeginning: (length: number, name: string) =>
		`sends the first ${count(length, 'character')} of this part of ${name}`,
};
