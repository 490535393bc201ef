// A process that does with a storage what a new window does; `journal.ts` bundles and runs it.
import path from 'node:path';
import { roundsFound } from '../../src/features/studio/search.js';
import { Gallery } from '../../src/jobs/gallery.js';
import { Journal } from '../../src/jobs/journal.js';
import { recover } from '../../src/jobs/recovery.js';
import { roundsOf } from '../../src/library/rounds.js';
import { Annotations } from '../../src/library/annotations.js';
import { Leases } from '../../src/jobs/windowLeases.js';
import { logTo } from '../../src/log.js';

void read(process.argv[2]!);

async function read(storage: string): Promise<void> {
	const journal = new Journal(path.join(storage, 'jobs'));
	const gallery = new Gallery(storage);
	let startedAt = performance.now();
	const images = await gallery.list();
	const opening = performance.now() - startedAt;

	const rounds = roundsOf(images, []);
	const marks = await new Annotations(storage).read();
	const ages = { of: () => undefined, words: () => undefined };
	startedAt = performance.now();
	const found = roundsFound(
		{ rounds, marks, ages },
		{ text: 'harbor number 7', among: 'all' },
		undefined,
	);
	const searching = performance.now() - startedAt;
	if (found.length === 0) {
		throw new Error('The search has found nothing.');
	}

	const taken = Promise.withResolvers<void>();
	logTo({
		error: (what, error) => {
			taken.reject(new Error(what, { cause: error }));
		},
	});
	startedAt = performance.now();
	void recover(journal, new Leases(), {
		belongsHere: () => true,
		takeUp: () => Promise.resolve(taken.resolve()),
		askAbout: () => Promise.resolve(),
		listFailure: () => undefined,
		dismiss: () => Promise.resolve(),
		listUnsaved: () => undefined,
		reportDamaged: () => undefined,
		reportNewer: () => undefined,
		removeFinished: () => Promise.resolve(),
		signal: new AbortController().signal,
	});
	await taken.promise;
	const recovery = performance.now() - startedAt;
	process.stdout.write(JSON.stringify({ opening, search: searching, recovery }), () =>
		process.exit(),
	);
}
