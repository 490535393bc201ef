import { maxReferenceBytes } from '../../protocol/studio.js';
import { shortened } from './prompts.js';
import { messages } from '../messages.js';

/** What can be asked of a `DataTransfer`: what is dragged is read only when it is dropped. */
type Data = Pick<DataTransfer, 'types' | 'getData' | 'files'>;

/**
 * How VS Code names what is dragged out of its explorer and its tabs. It gives `text/uri-list` as
 * well, but only the first one of several.
 */
const ownList = 'application/vnd.code.uri-list';
const commonList = 'text/uri-list';

/** As many as one message may have. */
export const maxUris = 100;
const maxUriLength = 20_000;
/** Of a name in a message, in characters. */
const maxNameLength = 200;

/** Whether something is dragged that may be images. Text that is dragged goes its own way. */
export function mayHaveImages({ types }: Pick<DataTransfer, 'types'>): boolean {
	return [ownList, commonList, 'Files'].some((type) => types.includes(type));
}

/** What was dropped or pasted: files with their bytes, or else where something lies. */
export function contentsOf(data: Data): { uris: readonly string[]; files: readonly File[] } {
	const own = urisIn(data.getData(ownList));
	if (own.length > 0) {
		return { uris: own, files: [] };
	}
	const files = Array.from(data.files);
	return files.length > 0
		? { uris: [], files }
		: { uris: urisIn(data.getData(commonList)), files: [] };
}

/** Reads a `text/uri-list` (RFC 2483, part 5): a URI in each line, comments begin with `#`. */
export function urisIn(list: string): string[] {
	return list
		.split(/\r\n|\r|\n/)
		.map((line) => line.trim())
		.filter((line) => line !== '' && !line.startsWith('#'));
}

/** Divides URIs into those that may be images and, for people, why the others are not. */
export function sortUris(uris: readonly string[]): { good: string[]; refusals: string[] } {
	const good: string[] = [];
	const refusals: string[] = [];
	for (const uri of uris.slice(0, maxUris)) {
		const name = nameIn(uri);
		// What has no extension is looked into by the extension.
		if (
			uri.length > maxUriLength ||
			(/\.[^.]+$/.test(name) && !/\.(png|jpe?g|webp)$/i.test(name))
		) {
			refusals.push(notAnImage(name));
		} else {
			good.push(uri);
		}
	}
	if (uris.length > maxUris) {
		refusals.push(messages.firstOnly(maxUris, uris.length));
	}
	return { good, refusals };
}

/** A file whose first bytes are those of an image. */
interface ReadFile {
	readonly name: string;
	readonly bytes: Uint8Array<ArrayBuffer>;
}

/**
 * Reads a file that was dropped or pasted, no more of it than it takes to see that it is no image.
 *
 * @throws {Refusal} where it is none, is too large, or cannot be read
 */
export async function readImage(file: File): Promise<ReadFile> {
	const { name } = file;
	// A file of an unknown kind has no type; its bytes decide.
	if (file.type !== '' && !['image/png', 'image/jpeg', 'image/webp'].includes(file.type)) {
		throw new Refusal(notAnImage(name));
	}
	if (!hasImageStart(await bytesOf(file.slice(0, 12), name))) {
		throw new Refusal(notAnImage(name));
	}
	if (file.size > maxReferenceBytes) {
		const megabytes = (bytes: number) => Math.ceil(bytes / 1024 / 1024);
		throw new Refusal(messages.tooLarge(name, megabytes(file.size), megabytes(maxReferenceBytes)));
	}
	return { name, bytes: await bytesOf(file, name) };
}

/** Why something does not become a reference image, in words for the person who tried. */
export class Refusal extends Error {
	override readonly name = 'Refusal';
}

/**
 * Whether these are the first bytes of a PNG (PNG 3, part 5.2), JPEG (ITU-T T.81, part B.1.1) or
 * WebP image (RFC 9649, part 2.4). 12 bytes decide.
 */
function hasImageStart(head: Uint8Array): boolean {
	const has = (start: string, at = 0) =>
		Array.from(start).every((character, index) => head[at + index] === character.charCodeAt(0));
	return has('\x89PNG\r\n\x1a\n') || has('\xff\xd8\xff') || (has('RIFF') && has('WEBP', 8));
}

/** The last part of a URI as a person knows it. */
export function nameIn(uri: string): string {
	const last = /([^/]*)\/*$/.exec(uri.replace(/[?#].*$/s, ''))?.[1] ?? '';
	const name = last === '' ? uri : last;
	try {
		return shortened(decodeURIComponent(name), maxNameLength);
	} catch {
		return shortened(name, maxNameLength);
	}
}

function notAnImage(name: string): string {
	return messages.notAnImage(shortened(name, maxNameLength));
}

async function bytesOf(blob: Blob, name: string): Promise<Uint8Array<ArrayBuffer>> {
	try {
		return new Uint8Array(await blob.arrayBuffer());
	} catch (error) {
		// A folder, or gone since.
		throw new Refusal(messages.unreadable(shortened(name, maxNameLength)), { cause: error });
	}
}
