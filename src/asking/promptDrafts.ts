import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';
import {
	assertNotNewer,
	serializeVersioned,
	NewerFormatError,
	extensibleObject,
	parseVersioned,
} from '../files/fileFormat.js';
import { isNotFound } from '../files/fsErrors.js';
import { privateFolder, readWhole, writeFlushed, writeWhole } from '../files/writeWhole.js';
import { maxImages, qualities, sizeSchema } from '../service/contract.js';
import { generationRequestSchema } from '../jobs/request.js';

const { operation, background, document, insertion, workspaceFolder, target } =
	generationRequestSchema.shape;
const { regeneratedFrom, withoutStyle, marks } = generationRequestSchema.shape;

/** Purpose of a prompt: the whole draft but its prompt. */
const purposeSchema = extensibleObject({
	operation,
	size: sizeSchema,
	quality: z.enum(['unset', ...qualities]),
	background,
	count: z.number().int().min(1).max(maxImages),
	references: z.array(z.string()),
	marks,
	withoutStyle,
	document,
	insertion,
	workspaceFolder,
	/**
	 * Place of the image, if that does not follow from the others; as a command's argument has it.
	 */
	output: z.string().optional(),
	/** The same for a request that is asked for again. */
	target: target.optional(),
	regeneratedFrom,
});

export type PromptPurpose = z.infer<typeof purposeSchema>;

export interface PromptDraft {
	readonly id: string;
	/** As it was saved last. */
	readonly text: string;
	/** In milliseconds since 1970. */
	readonly changedAt: number;
	readonly purpose: PromptPurpose;
}

/** The name of each draft's text: the tab that shows it has no other. */
const textName = 'Image Prompt';
const purposeName = 'purpose.json';

/** A draft without a word in it is removed after this time, in milliseconds. */
const blankDraftLimitMs = 24 * 60 * 60 * 1000;

/**
 * Prompts that are being written, each in a folder of our own storage that all windows share: its
 * text, which the editor saves while the user types, and what it is for.
 */
export class PromptDrafts {
	readonly #root: string;

	/** @param storage our own, absolute */
	constructor(storage: string) {
		this.#root = path.join(storage, 'prompts');
	}

	/** The file with the text of a draft, absolute. */
	file(id: string): string {
		return path.join(this.#root, id, textName);
	}

	/** The draft whose text this file is; `undefined` for any other file. */
	idOf(file: string): string | undefined {
		const id = path.basename(path.dirname(file));
		return draftName.test(id) && this.file(id) === file ? id : undefined;
	}

	async create(purpose: PromptPurpose, text: string): Promise<string> {
		await this.#removeBlank();
		const id = crypto.randomUUID();
		await mkdir(path.dirname(this.file(id)), { recursive: true, mode: privateFolder });
		await this.setPurpose(id, purpose);
		await writeFlushed(this.file(id), text);
		return id;
	}

	/** Those with something in them, the one that was changed last first. */
	async list(): Promise<PromptDraft[]> {
		const drafts = (await this.#all()).filter(({ text }) => text.trim() !== '');
		return drafts.sort((a, b) => b.changedAt - a.changedAt);
	}

	/**
	 * Returns the purpose of a draft; `undefined` where it is gone, damaged, or of a newer Easel.
	 */
	async purpose(id: string): Promise<PromptPurpose | undefined> {
		try {
			const text = await readWhole(path.join(this.#root, id, purposeName));
			return purposeSchema.safeParse(parseVersioned(text)).data;
		} catch (error) {
			if (error instanceof SyntaxError || error instanceof NewerFormatError || isNotFound(error)) {
				return undefined;
			}
			throw error;
		}
	}

	/** @throws {NewerFormatError} where a newer Easel has written it by now */
	async setPurpose(id: string, purpose: PromptPurpose): Promise<void> {
		const file = path.join(this.#root, id, purposeName);
		await assertNotNewer(file);
		await writeWhole(file, serializeVersioned(purpose));
	}

	/** Forgets a draft; one that is not there is no mistake. */
	async remove(id: string): Promise<void> {
		await rm(path.join(this.#root, id), { recursive: true, force: true });
	}

	/** Removes blank drafts of all windows that are old: another window may have a new one open. */
	async #removeBlank(): Promise<void> {
		for (const { id, text, changedAt } of await this.#all()) {
			if (text.trim() === '' && Date.now() - changedAt > blankDraftLimitMs) {
				await this.remove(id);
			}
		}
	}

	async #all(): Promise<PromptDraft[]> {
		const names = await readdir(this.#root).catch((error: unknown) => {
			if (isNotFound(error)) {
				return [];
			}
			throw error;
		});
		const ids = names.filter((name) => draftName.test(name));
		const found = await Promise.all(ids.map((id) => this.#read(id)));
		return found.filter((draft) => draft !== undefined);
	}

	/** `undefined` where another window has removed it meanwhile, or its purpose is not known. */
	async #read(id: string): Promise<PromptDraft | undefined> {
		try {
			const file = this.file(id);
			const [text, { mtimeMs }] = await Promise.all([readWhole(file), stat(file)]);
			const purpose = await this.purpose(id);
			return purpose && { id, text, changedAt: mtimeMs, purpose };
		} catch (error) {
			if (isNotFound(error)) {
				return undefined;
			}
			throw error;
		}
	}
}

const draftName = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;
