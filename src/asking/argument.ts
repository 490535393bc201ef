import * as vscode from 'vscode';
import * as z from 'zod';
import { promptLanguage, sentLanguage } from '../documents/languages.js';
import { WordedError } from '../editor/errorTexts.js';
import { backgroundSchema, maxImages, qualities, sizeSchema } from '../service/contract.js';
import type { CommandId } from '../editor/commandTable.js';
import { assertInside, OutsideWorkspaceError, resolveInside } from '../editor/files.js';
import { imagesOfWorkspace } from '../editor/images.js';
import { notify, runDetached } from '../editor/messages.js';
import { askPick } from '../editor/quickInput.js';
import { readService } from '../editor/service.js';
import { readSetting, settingOr } from '../editor/settings.js';
import { targetImage } from '../editor/targetImage.js';
import type { Insertion, Operation } from '../jobs/request.js';
import type { CommandContext } from '../editor/imageRequest.js';
import { labels, messages, phrases } from '../messages.js';
import { openDocument } from '../editor/documents.js';
import { sizeProblem } from '../service/sizes.js';

const uriOrPath = z.union(
	[
		// Links of hovers carry JSON alone, so a URI may come as its text.
		z
			.string()
			.min(1)
			.transform((text) => asUri(text) ?? text),
		z.custom<vscode.Uri>((value) => value instanceof vscode.Uri),
	],
	messages.mustBeUri,
);

const argumentSchema = z.strictObject({
	prompt: z.string().trim().min(1, messages.mustNotBeEmpty).optional(),
	size: sizeSchema.optional(),
	quality: z.enum(['unset', ...qualities]).optional(),
	background: backgroundSchema.optional(),
	references: z.array(uriOrPath).optional(),
	output: uriOrPath.optional(),
	insert: z.boolean().optional(),
	count: z.number().int().min(1).max(maxImages).optional(),
	style: z.boolean().optional(),
});

export type ParsedArgument = z.infer<typeof argumentSchema>;

const commands: Record<Operation, CommandId> = {
	generate: 'easel.generateImage',
	edit: 'easel.editWithPrompt',
};

/** A command was called with an argument that it does not take; the message names the field. */
export class ArgumentError extends WordedError {
	override readonly name = 'ArgumentError';

	constructor(
		readonly operation: Operation,
		readonly field: string,
		reason: string,
	) {
		super(`${commands[operation]}: ${field === '' ? 'argument' : field}: ${reason}`);
	}
}

/**
 * Checks what a key binding, a task or another extension passed to the command. Menus pass the
 * URI of the file instead, which says nothing about these fields.
 *
 * @throws {ArgumentError} naming the field
 */
export function parseArgument(operation: Operation, argument: unknown): ParsedArgument {
	if (argument === undefined || argument === null || argument instanceof vscode.Uri) {
		return {};
	}
	const parsed = argumentSchema.safeParse(argument);
	if (parsed.success) {
		// No link goes into a document: an edit lies beside its original.
		if (operation === 'edit' && parsed.data.insert !== undefined) {
			throw new ArgumentError(operation, 'insert', messages.onlyFor(commands.generate));
		}
		const { size } = parsed.data;
		const service = settingOr(readService);
		const nearest = size && service && sizeProblem(size, service)?.nearest;
		if (nearest !== undefined) {
			throw new ArgumentError(operation, 'size', messages.sizeNotOffered(service!.title, nearest));
		}
		return parsed.data;
	}
	const issue = parsed.error.issues[0];
	if (issue?.code === 'unrecognized_keys') {
		const known = Object.keys(argumentSchema.shape).filter(
			(field) => operation === 'generate' || field !== 'insert',
		);
		throw new ArgumentError(operation, issue.keys[0] ?? '', messages.unknownField(known));
	}
	const field = issue?.path.map(String).join('.') ?? '';
	throw new ArgumentError(operation, field, issue?.message ?? messages.notAllowed);
}

/**
 * Resolves what a field of the argument names. It must lie within the workspace: what is read there
 * is uploaded, and what is written there is the user's.
 *
 * @param root the workspace folder that a path is relative to
 * @returns its URI, and the workspace folder that it lies in
 * @throws {ArgumentError} where it lies in none
 */
export async function resolveField(
	operation: Operation,
	field: string,
	value: vscode.Uri | string,
	root: vscode.Uri | undefined,
): Promise<{ readonly uri: vscode.Uri; readonly root: vscode.Uri }> {
	try {
		if (typeof value === 'string') {
			if (root === undefined) {
				throw new ArgumentError(operation, field, messages.needsFolder);
			}
			return { uri: await resolveInside(root, value), root };
		}
		const folder = vscode.workspace.getWorkspaceFolder(value)?.uri;
		if (folder === undefined) {
			throw new ArgumentError(operation, field, messages.outsideFolder);
		}
		await assertInside(folder, value);
		return { uri: value, root: folder };
	} catch (error) {
		throw error instanceof OutsideWorkspaceError
			? new ArgumentError(operation, field, error.message)
			: error;
	}
}

/**
 * Returns the image that a command is given for; an argument may name it by the text of its URI, too.
 * Without one the user selects an image of the workspace, if it has any.
 */
export async function imageOfArgument(
	target: unknown,
	whatToSelect: string,
): Promise<vscode.Uri | undefined> {
	const image = await targetImage(typeof target === 'string' ? asUri(target) : target);
	return image ?? askForImage(whatToSelect);
}

async function askForImage(placeholder: string): Promise<vscode.Uri | undefined> {
	const items = await imagesOfWorkspace();
	if (items.length === 0) {
		runDetached(notify('info', placeholder));
		return undefined;
	}
	const title = labels.selectImage;
	const answer = await askPick({ title, placeholder, items, matchOnDescription: true });
	return answer?.type === 'value' ? answer.value.uri : undefined;
}

/** A URI from its text; `undefined` where the text is none, but a path. A drive is no scheme. */
export function asUri(text: string): vscode.Uri | undefined {
	return /^[a-z][a-z\d+.-]+:\//i.test(text) ? vscode.Uri.parse(text, true) : undefined;
}

/**
 * Looks at the active editor. With several workspace folders and no document in one of them, the
 * user is asked; `undefined` means that the question was cancelled.
 */
export async function findCommandContext(
	insertion?: Insertion,
): Promise<CommandContext | undefined> {
	const uri = documentInFront()?.uri;
	const folders = vscode.workspace.workspaceFolders ?? [];
	let workspaceFolder = uri === undefined ? undefined : vscode.workspace.getWorkspaceFolder(uri);
	if (workspaceFolder === undefined && folders.length > 1) {
		workspaceFolder = await vscode.window.showWorkspaceFolderPick({
			placeHolder: phrases.workspaceFolder,
		});
		if (workspaceFolder === undefined) {
			return undefined;
		}
	}
	return {
		document: uri?.toString(),
		insertion,
		workspaceFolder: (workspaceFolder ?? folders[0])?.uri.toString(),
	};
}

/** The document in front; a prompt that is written in an editor is none. */
export function documentInFront(): vscode.TextDocument | undefined {
	const document = vscode.window.activeTextEditor?.document ?? documentInMarkdownEditor();
	return document?.languageId === promptLanguage || takesNoImages(document) ? undefined : document;
}

/** The document in VS Code's own Markdown editor or preview: no text editor, without a cursor. */
function documentInMarkdownEditor(): vscode.TextDocument | undefined {
	const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
	return input instanceof vscode.TabInputCustom && input.viewType.startsWith('vscode.markdown.')
		? openDocument(input.uri)
		: undefined;
}

/**
 * Returns whether an editor shows text that takes no image: it says how images are made, or it is a
 * log in the panel, which VS Code lists among the editors.
 */
export function takesNoImages(document: vscode.TextDocument | undefined): boolean {
	if (document === undefined) {
		return false;
	}
	const folder = vscode.workspace.getWorkspaceFolder(document.uri)?.uri;
	const guide = folder && settingOr(() => readSetting('style.file', folder));
	return (
		document.uri.scheme === 'output' ||
		document.languageId === sentLanguage ||
		(folder !== undefined &&
			guide !== undefined &&
			vscode.Uri.joinPath(folder, guide.replaceAll('\\', '/')).path === document.uri.path)
	);
}

/** Resolves the references of a command's argument. @throws {ArgumentError} for one elsewhere */
export async function referencesFromArgument(
	references: readonly (vscode.Uri | string)[],
	root: vscode.Uri | undefined,
	operation: Operation,
): Promise<vscode.Uri[]> {
	return Promise.all(
		references.map(async (reference, index) => {
			const field = `references[${String(index)}]`;
			return (await resolveField(operation, field, reference, root)).uri;
		}),
	);
}
