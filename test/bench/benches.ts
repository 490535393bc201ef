import type { Bench, Row, Unit } from './bench.js';

const plain = 'collect, parse, decode, write';
const wasm = '@jsquash/png, @jsquash/resize';

/** Everything that `npm run bench` measures, in the order of its table. */
export const benches: Readonly<Record<string, Bench>> = {
	activation: {
		rows: {
			activation: inGuide('Activation in a window', 'ms', 'built-in Git', { ratio: 1 / 3 }),
			empty: row('… beside one that does nothing', 'ms', 'an empty extension'),
			code: inGuide('… its own code alone', 'ms', 'built-in Git', { ratio: 1 / 3 }),
			floor: row('Activation of an extension that does nothing', 'ms', 'built-in Git'),
			entry: inGuide('Loaded while Easel is not in use', 'kB', undefined, { most: 60 }),
			main: row('Loaded at the first use', 'kB'),
			package: row('Package', 'kB', undefined, { most: 1700 }),
		},
		rounds: 10,
		load: () => import('./activation.js'),
	},
	command: {
		rows: {
			inputFirst: inGuide('Command to its first question, first time', 'ms', 'Git: Clone', {
				most: 150,
			}),
			inputAgain: row('… again', 'ms', 'Git: Clone', { most: 150 }),
			byteFirst: row('Command to its first byte on the wire, first time', 'ms', 'a new process', {
				most: 1000,
			}),
			byteAgain: row('… again', 'ms', 'a new process', { most: 1000 }),
		},
		rounds: 10,
		load: () => import('./command.js'),
	},
	receiving: {
		rows: {
			one: inGuide('24 MiB received', 'ms', plain, { ratio: 2 }),
			oneMemory: inGuide('… memory', 'MiB', plain, { ratio: 0.5 }),
			oneBlock: row('… longest block of its thread', 'ms', plain, { ratio: 0.2 }),
		},
		rounds: 5,
		load: () => import('./receiving.js'),
	},
	references: {
		rows: {
			memory: inGuide('50 reference images of 10 MiB sent: memory', 'MiB', 'read, then send', {
				ratio: 0.1,
			}),
			time: inGuide('… time', 'ms', 'read, then send', { ratio: 1 }),
		},
		rounds: 3,
		load: () => import('./references.js'),
	},
	missing: {
		rows: { ...missingRows(100), ...missingRows(1_000), ...missingRows(10_000) },
		rounds: 5,
		load: () => import('./missing.js'),
	},
	thumbnails: {
		rows: {
			'2048Wasm': inGuide('Thumbnail of a PNG of 2048 × 2048', 'ms', wasm, { ratio: 1 }),
			memory: row('… memory', 'MiB', wasm, { ratio: 1 }),
		},
		rounds: 5,
		load: () => import('./thumbnails.js'),
	},
	exports: {
		rows: {
			page: row('Export of 1536 × 1024 for a page', 'ms', 'sharp'),
			pageMemory: row('… memory', 'MiB', 'sharp'),
			icon: row('Export as an icon of 256 × 256', 'ms', 'sharp'),
			iconMemory: row('… memory', 'MiB', 'sharp'),
		},
		rounds: 5,
		load: () => import('./exports.js'),
	},
	studio: {
		rows: { ...studioRows(10), ...studioRows(500), ...studioRows(5_000) },
		rounds: 5,
		load: () => import('./studio.js'),
	},
	series: {
		rows: {
			asServed: inGuide(
				'20 images from a service that makes two at a time',
				'ms',
				'the ideal schedule',
				{ ratio: 1.15 },
			),
			asServedTurnedAway: row('… most answers of 429 for one', 'answers', undefined, { most: 1 }),
		},
		rounds: 1,
		load: () => import('./series.js'),
	},
};

function row(what: string, unit: Unit, beside?: string, goal?: Row['goal']): Row {
	return { what, unit, ...(beside !== undefined && { beside }), ...(goal && { goal }) };
}

function inGuide(...about: Parameters<typeof row>): Row {
	return { ...row(...about), inGuide: true };
}

function missingRows(documents: number): Bench['rows'] {
	const what = `Missing images in ${documents.toLocaleString('en')} documents`;
	const beside = 'ripgrep reads them';
	const first = documents === 10_000 ? inGuide : row;
	return {
		[`first${String(documents)}`]: first(what, 'ms', beside, { most: 1000 }),
		[`check${String(documents)}`]: row('… easel check, as CI runs it', 'ms', beside, {
			most: 3000,
		}),
		[`block${String(documents)}`]: row('… longest block of the calling thread', 'ms', undefined, {
			most: 50,
		}),
	};
}

function studioRows(count: number): Bench['rows'] {
	const what = `Studio with ${count.toLocaleString('en')} images opened in a new window`;
	const beside = 'an empty one';
	const first = count === 5_000 ? inGuide : row;
	return {
		[`new${String(count)}`]: first(what, 'ms', beside, { ratio: 1.5 }),
		[`again${String(count)}`]: row('… again in the same window', 'ms', beside, { ratio: 1.5 }),
		[`frames${String(count)}`]: row('… frames over 50 ms while scrolling', 'frames', undefined, {
			most: 3,
		}),
		[`marking${String(count)}`]: row('… a move while a mark is drawn', 'ms', undefined, {
			most: 16,
		}),
		[`memory${String(count)}`]: row('… memory of all scripts', 'MiB', beside, { ratio: 1.2 }),
	};
}
