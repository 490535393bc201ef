import assert from 'node:assert/strict';
import * as drops from '../../../src/webview/drops';

const png = Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR', 'latin1');

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
		assert.deepEqual(drops.parseUriList(list), ['file:///a.png', 'file:///b.png', 'file:///c.png']);
		assert.deepEqual(drops.parseUriList(''), []);
	});
});
