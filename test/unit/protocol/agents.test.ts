import assert from 'node:assert/strict';
import {
	answerLimit,
	resultForAgent,
	withoutImplied,
	type AgentAnswer,
} from '../../../src/protocol/agents';

suite('protocol › agents', () => {
	test('marks texts of files and strangers as data, and bounds each', () => {
		const answer: AgentAnswer = {
			workspace: '/docs',
			result: {
				image: { path: 'a.png', uri: 'file:///docs/a.png', width: 1, height: 1 },
				recipe: { prompt: 'x'.repeat(5000), parts: [{ text: 'y'.repeat(50) }] },
			},
		};
		const { workspace, untrusted, ...own } = resultForAgent(answer) as Record<string, unknown>;
		assert.deepEqual([workspace, own], ['/docs', {}]);
		const { image, recipe } = untrusted as Record<string, unknown>;
		assert.deepEqual(image, 'image' in answer.result && answer.result.image);
		assert.deepEqual(recipe, { prompt: 'x'.repeat(4000), parts: [{ text: 'y'.repeat(50) }] });
	});

	const image = { path: 'a.png', uri: 'file:///docs/a.png', width: 1, height: 1 };
	const long = '画'.repeat(4000);
	const answers: Record<string, AgentAnswer['result']> = {
		'four images of a long prompt': {
			...{ job: crypto.randomUUID(), state: 'done', note: 'The image is saved.', failures: [] },
			images: Array.from({ length: 4 }, () => ({ ...image, prompt: long, alt_text: long })),
			budget: { used_today: 0, allowed_today: 0, unknown: 0 },
		},
		'long failures': {
			...{ job: crypto.randomUUID(), state: 'failed', note: 'No image was saved.', images: [] },
			failures: [long, long, long, long],
			budget: { used_today: 0, allowed_today: 0, unknown: 0 },
		},
		'the recipe of a stranger': {
			image: { ...image, prompt: long },
			recipe: { facts: Array.from({ length: 50 }, (_, at) => ({ name: String(at), text: long })) },
		},
		'the error of a long call': { error: 'x'.repeat(2000) },
	};
	for (const [what, result] of Object.entries(answers)) {
		test(`cuts no JSON, and stays below 8 kB for ${what}`, () => {
			const json = JSON.stringify(resultForAgent({ workspace: '/docs', result }));
			assert.ok(Buffer.byteLength(json) <= 8000, String(Buffer.byteLength(json)));
			assert.match(json, /a\.png|failures|error/);
		});
	}

	test('adds nothing to a result without such texts', () => {
		const result = { error: 'Nothing was bought.' };
		assert.deepEqual(resultForAgent({ result }), result);
	});

	for (const [tool, args, seconds] of [
		['generate_image', {}, 25],
		['get_budget', undefined, 25],
		['wait_for_image', {}, 50],
		['wait_for_image', { up_to_seconds: 0 }, 25],
		['wait_for_image', { up_to_seconds: 30 }, 35],
		['wait_for_image', { up_to_seconds: '30' }, 35],
		['wait_for_image', { up_to_seconds: 1e9 }, 50],
		['wait_for_image', { up_to_seconds: 'soon' }, 25],
	] as const) {
		test(`answers ${tool} ${JSON.stringify(args)} within ${String(seconds)} s`, () => {
			assert.equal(answerLimit(tool, args), seconds * 1000);
		});
	}

	test('leaves out the arguments of a call that hold anyway', () => {
		const same = { prompt: 'a pier', size: undefined };
		assert.deepEqual(
			hashed(withoutImplied({ ...same, count: 1, draft: false })),
			hashed(withoutImplied({ prompt: 'a pier' })),
		);
		const stated = { prompt: 'a pier', count: 2, draft: true, references: ['a.png'] };
		assert.deepEqual(withoutImplied(stated), stated);
	});
});

/** Returns arguments as they are compared: what is undefined is left out. */
function hashed(input: object): unknown {
	return JSON.parse(JSON.stringify(input));
}
