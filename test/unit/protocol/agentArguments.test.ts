import assert from 'node:assert/strict';
import { agentTools, type AgentToolName } from '../../../src/protocol/agents';
import { normalizeArguments } from '../../../src/protocol/agentArguments';
import { assertLinear } from '../linearTime/growth.js';

/** Arguments as models send them, beside those that have to be there; and what is understood. */
const forms: readonly (readonly [AgentToolName, given: object, understood: object])[] = [
	// Numbers and booleans
	['generate_image', { count: '2' }, { count: 2 }],
	['generate_image', { count: ' 2.0 ' }, { count: 2 }],
	['generate_image', { count: '"3"' }, { count: 3 }],
	['generate_image', { count: [4] }, { count: 4 }],
	['generate_image', { draft: 'true' }, { draft: true }],
	['generate_image', { draft: 'False' }, { draft: false }],
	['generate_image', { draft: 'yes' }, { draft: true }],
	['generate_image', { draft: 0 }, { draft: false }],
	['find_missing_images', { from: '40' }, { from: 40 }],
	['wait_for_image', { up_to_seconds: '30' }, { up_to_seconds: 30 }],
	['wait_for_image', { up_to_seconds: 120 }, { up_to_seconds: 50 }],
	['wait_for_image', { up_to_seconds: 'soon' }, { up_to_seconds: 'soon' }],
	['wait_for_image', { up_to_seconds: -5 }, { up_to_seconds: 0 }],
	['wait_for_image', { up_to_seconds: 12.7 }, { up_to_seconds: 12 }],
	// Texts
	['generate_image', { request_key: 27 }, { request_key: '27' }],
	['generate_image', { alt_text: true }, { alt_text: 'true' }],
	['list_images', { query: 2026 }, { query: '2026' }],
	// Choices
	['generate_image', { size: '1024×1024' }, { size: '1024x1024' }],
	['generate_image', { size: '1024 x 1024' }, { size: '1024x1024' }],
	['generate_image', { size: '1536X1024' }, { size: '1536x1024' }],
	['generate_image', { size: '1024*1536' }, { size: '1024x1536' }],
	['generate_image', { size: '`2048 by 1152`' }, { size: '2048x1152' }],
	['generate_image', { size: '640x480' }, { size: '640x480' }],
	['generate_image', { quality: 'High' }, { quality: 'high' }],
	['generate_image', { quality: 'auto' }, {}],
	// Absent
	['generate_image', { size: null, count: null, references: null, insert_into: null }, {}],
	['generate_image', { size: '', count: '', target: ' ', draft: '', alt_text: '' }, {}],
	['generate_image', { count: 'null', references: 'None', size: 'undefined' }, {}],
	['generate_image', { alt_text: 'none' }, { alt_text: 'none' }],
	['generate_image', { insert_into: { document: null, line: '' } }, {}],
	['generate_image', { insert_into: {}, references: [null, ''] }, {}],
	['generate_image', { seed: null }, {}],
	['get_budget', { workspace: '' }, {}],
	// Lists and objects
	['generate_image', { references: 'a.png' }, { references: ['a.png'] }],
	['generate_image', { references: '["a.png", "b.png"]' }, { references: ['a.png', 'b.png'] }],
	['generate_image', { references: '[]' }, {}],
	['generate_image', { references: '[a].png' }, { references: ['[a].png'] }],
	[
		'generate_image',
		{ insert_into: '{"document": "docs/x.md", "line": "3"}' },
		{ insert_into: { document: 'docs/x.md', line: 3 } },
	],
	[
		'generate_image',
		{ insert_into: { document: 'docs/x.md', line: null } },
		{ insert_into: { document: 'docs/x.md' } },
	],
	['generate_image', { insert_into: 'docs/x.md' }, { insert_into: { document: 'docs/x.md' } }],
	['generate_image', { insert_into: ['docs/x.md'] }, { insert_into: { document: 'docs/x.md' } }],
	// Paths, as far as no file decides
	['generate_image', { target: ' "images/a.png" ' }, { target: 'images/a.png' }],
	['generate_image', { target: '`images/a.png`' }, { target: 'images/a.png' }],
	['generate_image', { references: '![A pier](images/a.png)' }, { references: ['images/a.png'] }],
	['get_image', { path: '![](<my images/a.png> "A pier")' }, { path: 'my images/a.png' }],
	['get_image', { path: '[a (1)](images/a(1).png)' }, { path: 'images/a(1).png' }],
	['get_image', { path: ['images/a.png'] }, { path: 'images/a.png' }],
	['generate_image', { size: '1280 by 640' }, { size: '1280x640' }],
	// What is left as it is, to be refused
	['generate_image', { count: 'two', draft: 'maybe' }, { count: 'two', draft: 'maybe' }],
	['generate_image', { count: 5, seed: 7 }, { count: 5, seed: 7 }],
	['generate_image', { insert_into: 7, size: {} }, { insert_into: 7, size: {} }],
	['generate_image', { insert_into: '{docs' }, { insert_into: '{docs' }],
	['generate_image', { prompt: ' ' }, { prompt: undefined }],
];

const needed: Partial<Record<AgentToolName, object>> = {
	generate_image: { prompt: 'A pier' },
	wait_for_image: { job: 'pier' },
};

suite('protocol › agentArguments', () => {
	for (const [tool, given, understood] of forms) {
		test(`understands ${tool} ${JSON.stringify(given)}`, () => {
			const { schema } = agentTools[tool];
			const args = { ...needed[tool], ...given };
			const normal = normalizeArguments(schema, args);
			const expected = Object.entries({ ...needed[tool], ...understood });
			assert.deepEqual(normal, Object.fromEntries(expected.filter(([, one]) => one !== undefined)));
			assert.deepEqual(normalizeArguments(schema, normal), normal);
			assert.deepEqual(normalizeArguments(schema, JSON.stringify(args)), normal);
		});
	}

	for (const part of ['"', '[', '![a](', '](', ' ', '1 x ', '{"a":', '" "', '<']) {
		test(`takes a time that grows no worse than linearly with ${part}`, () => {
			assertLinear((length) => {
				const text = part.repeat(Math.ceil(length / part.length));
				const args = { prompt: text, size: text, references: text, insert_into: text };
				return () => normalizeArguments(agentTools.generate_image.schema, args);
			}, part);
		});
	}

	test('takes a text for the one argument that a tool needs, and nothing for no arguments', () => {
		const { get_image: image, get_budget: budget } = agentTools;
		assert.deepEqual(normalizeArguments(image.schema, 'a.png'), { path: 'a.png' });
		assert.deepEqual(normalizeArguments(budget.schema, null), {});
	});
});
