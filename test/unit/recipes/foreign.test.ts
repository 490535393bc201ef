import assert from 'node:assert/strict';
import { foreignTexts, type ForeignTexts } from '../../../src/recipes/foreign.js';

function read(texts: Readonly<Record<string, string | undefined>>): ForeignTexts[] {
	const chunk = { type: 'tEXt', start: 0, length: 0 };
	return foreignTexts(Object.entries(texts).map(([keyword, text]) => ({ chunk, keyword, text })));
}

const facts = (values: Readonly<Record<string, string>>) =>
	Object.entries(values).map(([name, text]) => ({ name, text }));

suite('Texts of other programs', () => {
	test('are listed as they are, under the name of their program', () => {
		for (const [source, texts] of [
			['AUTOMATIC1111', { parameters: 'a fox\nSteps: 20' }],
			['SwarmUI', { parameters: '{"sui_image_params":{"prompt":"a fox"}}' }],
			['ComfyUI', { prompt: '{"6":{"class_type":"CLIPTextEncode"}}' }],
			['ComfyUI', { workflow: '{"nodes":[]}' }],
			['NovelAI', { Software: 'NovelAI', Comment: '{"uc":"blurry"}' }],
			['InvokeAI', { invokeai_metadata: '{}', invokeai_graph: '{}' }],
			['Text in the file', { Title: 'T', prompt: 'a fox', Software: 'GIMP' }],
		] as const) {
			assert.deepEqual(read(texts), [{ source, facts: facts(texts) }]);
		}
	});

	test('are those of the source alone in XMP', () => {
		const packet = '<a xmp:CreatorTool="X" Iptc4xmpExt:AIPromptInformation="a fox"/>';
		const said = { 'xmp:CreatorTool': 'X', 'Iptc4xmpExt:AIPromptInformation': 'a fox' };
		assert.deepEqual(read({ 'XML:com.adobe.xmp': packet, Title: 'T' }), [
			{ source: 'Text in the file', facts: facts({ Title: 'T' }) },
			{ source: 'XMP', facts: facts(said) },
		]);
	});

	test('are none where they are empty or cannot be read', () => {
		assert.deepEqual(read({ Empty: ' ', Lost: undefined, 'XML:com.adobe.xmp': '<a/>' }), []);
	});

	test('are bounded, in number and in length', () => {
		const many = Object.fromEntries(
			Array.from({ length: 100 }, (_, index) => [`k${String(index)}`, 'v']),
		);
		assert.equal(read(many)[0]?.facts.length, 60);
		const [long] = read({ ['n'.repeat(1000)]: 'x'.repeat(100_000) })[0]!.facts;
		assert.deepEqual([long?.name.length, long?.text.length], [100, 20_000]);
	});
});
