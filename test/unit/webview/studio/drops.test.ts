import assert from 'node:assert/strict';
import { maxReferenceBytes } from '../../../../src/protocol/studio';
import * as drops from '../../../../src/webview/studio/drops';

const png = Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR', 'latin1');
const jpeg = Buffer.from('\xff\xd8\xff\xe0\0\x10JFIF\0\x01', 'latin1');
const webp = Buffer.from('RIFF\x24\0\0\0WEBPVP8 ', 'latin1');
const gif = Buffer.from('GIF89a\x01\0\x01\0\0\0\0', 'latin1');

function dragged(data: Record<string, string>, files: readonly File[] = []) {
	return {
		types: [...Object.keys(data), ...(files.length > 0 ? ['Files'] : [])],
		getData: (type: string) => data[type] ?? '',
		files: files as unknown as FileList,
	};
}

suite('drops › what is dragged', () => {
	test('files and addresses may be images; text, and a reference that is moved, are not', () => {
		assert.ok(drops.mayHaveImages({ types: ['Files'] }));
		assert.ok(drops.mayHaveImages({ types: ['text/plain', 'application/vnd.code.uri-list'] }));
		assert.ok(drops.mayHaveImages({ types: ['text/uri-list'] }));
		assert.ok(!drops.mayHaveImages({ types: ['text/plain', 'text/html'] }));
		assert.ok(!drops.mayHaveImages({ types: ['application/x-easel-reference'] }));
	});

	test('all of the explorer’s selection, not the first one only', () => {
		const data = dragged({
			'text/uri-list': 'file:///w/a.png',
			'application/vnd.code.uri-list': 'file:///w/a.png\r\nfile:///w/b.png',
		});
		assert.deepEqual(drops.contentsOf(data), {
			uris: ['file:///w/a.png', 'file:///w/b.png'],
			files: [],
		});
	});

	test('files before the address that a browser gives with them', () => {
		const file = new File([png], 'a.png');
		const data = dragged({ 'text/uri-list': 'https://example.com/a.png' }, [file]);
		assert.deepEqual(drops.contentsOf(data), { uris: [], files: [file] });
		const address = dragged({ 'text/uri-list': 'file:///w/a.png' });
		assert.deepEqual(drops.contentsOf(address).uris, ['file:///w/a.png']);
	});

	test('a list of URIs may have comments and any line ends', () => {
		const list = '# from somewhere\r\nfile:///a.png\r\n\r\n file:///b.png \nfile:///c.png\r';
		assert.deepEqual(drops.urisIn(list), ['file:///a.png', 'file:///b.png', 'file:///c.png']);
		assert.deepEqual(drops.urisIn(''), []);
	});
});

suite('drops › URIs', () => {
	test('what is called like something else is refused by its name', () => {
		const uris = ['file:///w/a.PNG', 'file:///w/b.jpeg', 'file:///w/c.webp', 'file:///w/no-ending'];
		const { good, refusals } = drops.sortUris([...uris, 'file:///w/my%20notes.md?x#y']);
		assert.deepEqual(good, uris);
		assert.deepEqual(refusals, [
			'“my notes.md” is not a PNG, JPEG or WebP image. Convert it, or choose another image.',
		]);
	});

	test('not more than one message may have', () => {
		const { good, refusals } = drops.sortUris(Array<string>(140).fill('file:///w/a.png'));
		assert.equal(good.length, drops.maxUris);
		assert.deepEqual(refusals, ['Only the first 100 of 140 images were added.']);
		assert.equal(drops.sortUris([`file:///${'a'.repeat(20_000)}.png`]).good.length, 0);
	});

	test('names are those that a person knows', () => {
		assert.equal(drops.nameIn('file:///w/caf%C3%A9.png'), 'café.png');
		assert.equal(drops.nameIn('file:///w/100%.png'), '100%.png');
		assert.equal(drops.nameIn('file:///w/folder/'), 'folder');
		assert.equal(drops.nameIn('x'.repeat(300)).length, 200);
	});
});

suite('drops › files', () => {
	async function refusalOf(file: File): Promise<string> {
		let message = '';
		await assert.rejects(drops.readImage(file), (error) => {
			assert.ok(error instanceof drops.Refusal);
			message = error.message;
			return true;
		});
		return message;
	}

	test('images are read, of a known type or of none', async () => {
		for (const [bytes, type] of [
			[png, 'image/png'],
			[jpeg, 'image/jpeg'],
			[webp, ''],
		] as const) {
			const read = await drops.readImage(new File([bytes], 'a', { type }));
			assert.deepEqual(Buffer.from(read.bytes), bytes);
			assert.equal(read.name, 'a');
		}
	});

	test('another type, or other bytes than the name says, are refused', async () => {
		for (const file of [
			new File([gif], 'a.gif', { type: 'image/gif' }),
			new File([gif], 'a.gif'),
			new File(['text'], 'a.gif', { type: 'image/png' }),
			new File([], 'a.gif'),
			new File([png.subarray(0, 7)], 'a.gif'),
		]) {
			assert.match(await refusalOf(file), /^“a\.gif” is not a PNG, JPEG or WebP image\./);
		}
	});

	test('what is too large is not read, and leads to Browse…', async () => {
		const file = new File([png], 'large.png', { type: 'image/png' });
		Object.defineProperty(file, 'size', { value: maxReferenceBytes + 1 });
		Object.defineProperty(file, 'arrayBuffer', { value: () => assert.fail('read') });
		assert.equal(
			await refusalOf(file),
			'“large.png” has 51 MB; you can drop or paste up to 50 MB. ' + 'Choose Browse… to use it.',
		);
	});

	test('a folder, which has no bytes, is refused', async () => {
		const folder = new File([], 'folder');
		Object.defineProperty(folder, 'slice', {
			value: () => ({ arrayBuffer: () => Promise.reject(new DOMException('it is a folder')) }),
		});
		assert.equal(await refusalOf(folder), '“folder” cannot be read.');
	});
});
