import assert from 'node:assert/strict';
import { isOurPacket, readXmp, xmpPacket } from '../../../src/recipes/xmp.js';

const ours = xmpPacket('Easel 1.2.3 <&>', '2026-03-01T12:34:56.789Z');

suite('The packet of XMP', () => {
	test('says that a trained model has made the image', () => {
		assert.deepEqual(readXmp(ours), {
			'xmp:CreatorTool': 'Easel 1.2.3 <&>',
			'Iptc4xmpExt:DigitalSourceType':
				'http://cv.iptc.org/newscodes/digitalsourcetype/trainedAlgorithmicMedia',
		});
		assert.ok(ours.startsWith('<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>\n'));
		assert.ok(ours.endsWith('<?xpacket end="r"?>'), 'it is read-only');
	});

	test('closes what it opens, and says whose each name is', () => {
		const open: string[] = [];
		for (const [, slash, name = ''] of ours.matchAll(/<(\/?)([a-z][\w:]*)/gi)) {
			if (slash === '') {
				open.push(name);
			} else {
				assert.equal(open.pop(), name);
			}
		}
		assert.deepEqual(open, []);
		const prefixes = [...ours.matchAll(/[<\s](?!xmlns)([a-z]\w*):\w+/gi)].map(
			([, prefix]) => prefix,
		);
		assert.deepEqual(
			[...new Set(prefixes)].map((prefix) => ours.split(`xmlns:${String(prefix)}="`).length),
			[2, 2, 2, 2],
		);
	});

	test('of others is distinguished from ours', () => {
		assert.ok(isOurPacket(ours));
		assert.ok(!isOurPacket(ours.replace('x:xmptk="Easel"', 'x:xmptk="Image::ExifTool 12.57"')));
		assert.ok(!isOurPacket(`${' '.repeat(300)}${ours}`));
	});

	test('of others is read from attributes, elements and lists', () => {
		const packet = `<rdf:Description xmp:CreatorTool='Firefly &amp; more' photoshop:Credit="AI">
			<dc:description><rdf:Alt><rdf:li xml:lang="x-default">A &lt;b&gt; cat</rdf:li></rdf:Alt></dc:description>
			<Iptc4xmpExt:AIPromptInformation>a cat</Iptc4xmpExt:AIPromptInformation>
		</rdf:Description>`;
		assert.deepEqual(readXmp(packet), {
			'xmp:CreatorTool': 'Firefly & more',
			'photoshop:Credit': 'AI',
			'dc:description': 'A <b> cat',
			'Iptc4xmpExt:AIPromptInformation': 'a cat',
		});
	});

	test('of others is read with its entities, without the space around it', () => {
		const words = 'it&apos;s &quot;a&quot;&#xA;&amp;lt;cat&gt;';
		const said = 'it\'s "a"\n&lt;cat>';
		assert.deepEqual(readXmp(`<a xmp:CreatorTool="${words}"/>`), { 'xmp:CreatorTool': said });
		const element = `<xmp:CreatorTool xml:lang="x">\n\t${words}\n</xmp:CreatorTool>`;
		assert.deepEqual(readXmp(element), { 'xmp:CreatorTool': said });
	});

	test('of others is read wherever it stands, up to 20,000 letters', () => {
		const before = '<a b="c" d="e">'.repeat(10);
		const long = (length: number) => `${before}<a xmp:CreatorTool="${'x'.repeat(length)}"/>`;
		assert.deepEqual(readXmp(long(19_999)), { 'xmp:CreatorTool': 'x'.repeat(19_999) });
		assert.deepEqual(readXmp(long(20_000)), {});
	});

	test('that is none says nothing', () => {
		for (const text of [
			...['', '<', 'xmp:CreatorTool', 'xmp:CreatorTool="', '<xmp:CreatorTool', '<xmp:CreatorTool>'],
			...['<xmp:CreatorTools>a</xmp:CreatorTools>', '<xmp:CreatorTool></xmp:CreatorTool>'],
			...['<dc:description>'.repeat(1000), 'xmp:CreatorTool=""', 'xmp:CreatorTool="abc'],
			'<xmp:CreatorTools>a</xmp:CreatorTool>',
		]) {
			assert.deepEqual(readXmp(text), {}, text);
		}
	});
});
