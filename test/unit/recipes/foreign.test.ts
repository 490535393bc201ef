import assert from 'node:assert/strict';
import { foreignRecipes, type ForeignRecipe } from '../../../src/recipes/foreign.js';

/** What is read of texts by their keywords; fixtures are written from the formats' own documents. */
function read(texts: Readonly<Record<string, string | undefined>>): ForeignRecipe[] {
	const chunk = { type: 'tEXt', start: 0, length: 0 };
	return foreignRecipes(Object.entries(texts).map(([keyword, text]) => ({ chunk, keyword, text })));
}

const facts = (values: Readonly<Record<string, string>>) =>
	Object.entries(values).map(([name, text]) => ({ name, text }));

suite('What other generators have written', () => {
	test('AUTOMATIC1111: a prompt, a negative prompt, a line of settings', () => {
		const settings =
			'Steps: 20, Sampler: DPM++ 2M, CFG scale: 7, Seed: 42, Size: 512x512, Model: v1-5';
		assert.deepEqual(
			read({ parameters: `a fox,\nin snow\nNegative prompt: blurry,\nugly\n${settings}` }),
			[
				{
					source: 'AUTOMATIC1111',
					prompt: 'a fox,\nin snow',
					facts: facts({ 'Negative prompt': 'blurry,\nugly', Settings: settings }),
				},
			],
		);
		assert.deepEqual(
			read({ parameters: `a fox\n${settings}` })[0]?.facts,
			facts({ Settings: settings }),
		);
		assert.deepEqual(read({ parameters: 'a fox' }), [
			{ source: 'AUTOMATIC1111', prompt: 'a fox', facts: [] },
		]);
		assert.equal(read({ parameters: settings })[0]?.prompt, undefined);
		assert.deepEqual(
			read({ parameters: `a fox in the deep, deep snow\n${settings}` })[0]?.facts,
			facts({ Settings: settings }),
		);
		assert.deepEqual(
			read({ parameters: 'a fox\nNegative prompt: blurry' })[0]?.facts,
			facts({ 'Negative prompt': 'blurry' }),
		);
		const more = `${settings}\nTemplate: x`;
		assert.deepEqual(
			read({ parameters: `\n a fox \n\nNegative prompt:  blurry \n\n${more}\n` }),
			[
				{
					source: 'AUTOMATIC1111',
					prompt: 'a fox',
					facts: facts({ 'Negative prompt': 'blurry', Settings: more }),
				},
			],
			'without the space around each',
		);
	});

	test('SwarmUI: JSON under the same key', () => {
		const json = '{"sui_image_params":{"prompt":"a fox","seed":7,"model":"x","deep":{}}}';
		assert.deepEqual(read({ parameters: json }), [
			{ source: 'SwarmUI', prompt: 'a fox', facts: facts({ seed: '7', model: 'x' }) },
		]);
	});

	test('ComfyUI: the nodes that have run, and the graph', () => {
		const nodes = {
			'3': { class_type: 'KSampler', inputs: { seed: 5, positive: ['6', 0], negative: ['7', 0] } },
			'4': { class_type: 'CheckpointLoaderSimple', inputs: { ckpt_name: 'v1-5.safetensors' } },
			'6': { class_type: 'CLIPTextEncode', inputs: { text: 'a fox', clip: ['4', 1] } },
			'7': { class_type: 'CLIPTextEncode', inputs: { text: 'blurry', clip: ['4', 1] } },
		};
		const workflow = '{"nodes":[],"links":[]}';
		assert.deepEqual(read({ prompt: JSON.stringify(nodes), workflow }), [
			{
				source: 'ComfyUI',
				prompt: 'a fox',
				facts: facts({
					'Negative prompt': 'blurry',
					Model: 'v1-5.safetensors',
					Workflow: workflow,
				}),
			},
		]);
		const two = {
			...nodes,
			'8': { class_type: 'KSampler', inputs: { positive: ['9', 0], negative: ['10', 0] } },
			'9': { class_type: 'CLIPTextEncode', inputs: { text: 'a crow' } },
			'10': { class_type: 'CLIPTextEncode', inputs: { text: 'ugly' } },
			'11': { class_type: 'CheckpointLoaderSimple', inputs: { ckpt_name: 'xl.safetensors' } },
			// None of them leads to a text.
			'12': { inputs: { positive: ['13', 0], negative: 'none' } },
			'14': { inputs: { positive: [7, 0], negative: [] } },
			'15': { inputs: { positive: ['4', 1], negative: ['toString', 0] } },
		};
		assert.deepEqual(read({ prompt: JSON.stringify(two) }), [
			{
				source: 'ComfyUI',
				prompt: 'a fox\na crow',
				facts: facts({
					'Negative prompt': 'blurry\nugly',
					Model: 'v1-5.safetensors, xl.safetensors',
				}),
			},
		]);
		const holed = { '1': null, '2': { class_type: 'a', inputs: { text: 'x' } } };
		assert.equal(read({ prompt: JSON.stringify(holed) })[0]?.prompt, 'x');
		const loose = JSON.stringify({ '6': nodes['6'], '7': nodes['7'] });
		assert.equal(read({ prompt: loose })[0]?.prompt, 'a fox\nblurry');
		assert.deepEqual(read({ workflow }), [
			{ source: 'ComfyUI', prompt: undefined, facts: facts({ Workflow: workflow }) },
		]);
		const strange = { '1': { class_type: 'a', inputs: { positive: ['__proto__', 0] } }, '2': null };
		assert.deepEqual(read({ prompt: JSON.stringify(strange) }), [
			{ source: 'ComfyUI', prompt: undefined, facts: [] },
		]);
	});

	test('NovelAI: a description, and JSON as the comment', () => {
		const comment = '{"prompt":"a fox","steps":28,"uc":"blurry","sampler":"k_euler","v4":{"a":1}}';
		const expected = {
			source: 'NovelAI',
			prompt: 'a fox',
			facts: facts({
				'Negative prompt': 'blurry',
				Model: 'NovelAI Diffusion V4',
				steps: '28',
				sampler: 'k_euler',
			}),
		};
		const texts = { Description: 'fox', Software: 'NovelAI', Source: 'NovelAI Diffusion V4' };
		assert.deepEqual(read({ ...texts, Comment: comment }), [expected]);
		const [first] = read({ ...texts, Comment: '{"steps":28}' });
		assert.equal(first?.prompt, 'fox');
		// Its own word for a negative prompt tells it, too.
		assert.equal(read({ Comment: '{"uc":"blurry"}' })[0]?.source, 'NovelAI');
		assert.equal(read({ Software: 'NovelAI', Comment: 'none' })[0]?.source, 'Text in the file');
		assert.equal(read({ Software: 'NovelAI' })[0]?.source, 'Text in the file');
	});

	test('says what is a number, a word or a yes, and nothing that lies deeper', () => {
		const params = { seed: 7, tiled: false, name: 'x', list: ['a'], deep: { a: 1 }, no: null };
		assert.deepEqual(
			read({ parameters: JSON.stringify({ sui_image_params: params }) })[0]?.facts,
			facts({ seed: '7', tiled: 'false', name: 'x' }),
		);
		// A list or a null is no object that could say something.
		for (const other of ['["a"]', 'null', '7']) {
			assert.equal(read({ invokeai_metadata: other })[0]?.source, 'Text in the file');
			const swarm = `{"sui_image_params":${other}}`;
			assert.equal(read({ parameters: swarm })[0]?.source, 'AUTOMATIC1111');
		}
	});

	test('InvokeAI: its metadata, whatever it calls the model', () => {
		const metadata = {
			positive_prompt: 'a fox',
			negative_prompt: 'blurry',
			steps: 30,
			model: { name: 'sdxl', hash: 'x' },
			loras: [],
		};
		const expected = { 'Negative prompt': 'blurry', Model: 'sdxl', steps: '30' };
		const graph = '{"nodes":{}}';
		const [first, ...others] = read({
			invokeai_metadata: JSON.stringify(metadata),
			invokeai_graph: graph,
			invokeai_workflow: graph,
		});
		assert.deepEqual(first, { source: 'InvokeAI', prompt: 'a fox', facts: facts(expected) });
		assert.deepEqual(others, []);
		const modelOf = (model: unknown) =>
			read({ invokeai_metadata: JSON.stringify({ model }) })[0]?.facts[0]?.text;
		assert.equal(modelOf({ model_name: 'sd' }), 'sd');
		assert.equal(modelOf('sd'), 'sd');
	});

	test('XMP: what is said of the source', () => {
		const packet = '<a xmp:CreatorTool="X" Iptc4xmpExt:AIPromptInformation="a fox"/>';
		assert.deepEqual(read({ 'XML:com.adobe.xmp': packet }), [
			{ source: 'XMP', prompt: 'a fox', facts: facts({ 'xmp:CreatorTool': 'X' }) },
		]);
		assert.deepEqual(read({ 'XML:com.adobe.xmp': '<a/>' }), []);
	});

	test('all else stands as it is, once for each key', () => {
		assert.deepEqual(
			read({ Title: 'T', prompt: 'a fox', Comment: '{"a":1}', Empty: ' ', Lost: undefined }),
			[
				{
					source: 'Text in the file',
					prompt: undefined,
					facts: facts({ Title: 'T', prompt: 'a fox', Comment: '{"a":1}' }),
				},
			],
		);
		assert.deepEqual(read({}), []);
	});

	test('is bounded, in number and in length', () => {
		const many = Object.fromEntries(
			Array.from({ length: 100 }, (_, index) => [`k${String(index)}`, 'v']),
		);
		assert.equal(read(many)[0]?.facts.length, 60);
		assert.equal(read({ a: 'x'.repeat(100_000) })[0]?.facts[0]?.text.length, 20_000);
		assert.equal(read({ parameters: 'x'.repeat(100_000) })[0]?.prompt?.length, 20_000);
		const some = Object.fromEntries(Object.keys(many).map((name) => [name, name]));
		const comment = JSON.stringify({ uc: 'blurry', ...some });
		assert.equal(read({ Software: 'NovelAI', Comment: comment })[0]?.facts.length, 60);
		const nodes = Object.fromEntries(
			Array.from({ length: 2001 }, (_, index) => [
				String(index),
				{ class_type: 'a', inputs: { text: String(index) } },
			]),
		);
		const [comfy] = read({ prompt: JSON.stringify(nodes) });
		assert.deepEqual(comfy?.prompt?.split('\n').slice(-1), ['1999']);
		const name = 'n'.repeat(1000);
		const [swarm] = read({ parameters: JSON.stringify({ sui_image_params: { [name]: 'v' } }) });
		assert.equal(swarm?.facts[0]?.name.length, 100);
	});
});
