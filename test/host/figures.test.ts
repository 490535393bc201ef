import assert from 'node:assert/strict';
import { figuresTable, isSound, type Figures } from './figures';

const sound: Figures = {
	seed: 7,
	schedules: 200,
	made: 81,
	delivered: 50,
	toldInstead: 31,
	lost: 0,
	deliveredTwice: 0,
	orphans: 0,
};

suite('Figures of the randomized tests', () => {
	test('stand in a table, each under its title', () => {
		const table = figuresTable({ workers: sound, windows: { ...sound, lost: 3 } });
		const [titles, workers, windows, ...rest] = table.split('\n');
		assert.deepEqual(rest, []);
		const under = (line: string, title: string) => {
			const end = titles!.indexOf(title) + title.length;
			return line.slice(0, end).split(' ').at(-1);
		};
		assert.equal(under(workers!, 'schedules'), '200');
		assert.equal(under(workers!, 'images made'), '81');
		assert.equal(under(workers!, 'lost'), '0');
		assert.equal(under(windows!, 'lost'), '3');
		assert.equal(under(windows!, 'orphan processes'), '0');
	});

	for (const broken of ['lost', 'deliveredTwice', 'orphans'] as const) {
		test(`are not sound where there is one ${broken}`, () => {
			assert.equal(isSound(sound), true);
			assert.equal(isSound({ ...sound, [broken]: 1 }), false);
		});
	}
});
