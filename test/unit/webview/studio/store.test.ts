import assert from 'node:assert/strict';
import { maxMarks, type Mark } from '../../../../src/images/marks';
import type { Ask, StudioEvent, StudioRequest } from '../../../../src/protocol/studio';
import {
	everything,
	type Image,
	type Job,
	type Query,
	type StudioReference,
	type StudioRound,
	type StudioState,
} from '../../../../src/protocol/studioModel';
import { selectOnly, toggle } from '../../../../src/webview/studio/selection';
import { StudioStore } from '../../../../src/webview/studio/store';

type Places = Extract<StudioEvent, { type: 'rounds' }>['rounds'];

const job: Job = {
	id: 'j',
	label: '3a',
	prompt: 'a harbor',
	details: '1024 × 1024',
	state: 'running',
	words: '0:07',
	short: '0:07',
	announcement: 'sending',
	actions: ['cancel'],
};

/** A round: `a` is an image, `A` is a job. */
function placesOf(id: string, slots: string): Places[number] {
	return {
		id,
		slots: [...slots].map((slot) => ({
			id: `${id}${slot.toLowerCase()}`,
			kind: slot === slot.toLowerCase() ? 'image' : 'job',
			ratio: 1,
		})),
	};
}

function imageOf(id: string, part: Partial<Image> = {}): Image {
	return { id, name: id, label: id, isFavorite: false, exists: true, chain: [], ...part } as Image;
}

suite('StudioStore', () => {
	let store: StudioStore;
	let asked: StudioRequest[];
	let saved: StudioState | undefined;
	/** Rejects what is asked for while it is set. */
	let failure: string | undefined;

	setup(() => {
		asked = [];
		saved = undefined;
		failure = undefined;
		const ask: Ask = (request: StudioRequest) => {
			asked.push(request);
			return failure === undefined ? Promise.resolve() : Promise.reject(new Error(failure));
		};
		store = new StudioStore(ask, (state) => {
			saved = state;
		});
		Object.assign(globalThis, { document: { activeElement: null, body: null } });
		showRounds(placesOf('2', 'abc'), placesOf('1', 'a'));
		asked = [];
	});

	teardown(() => {
		Reflect.deleteProperty(globalThis, 'document');
	});

	function showRounds(...rounds: Places[number][]): void {
		store.receive({
			...{ type: 'rounds', query: store.search.query, rounds, total: 4, favorites: 0 },
			hasStyle: false,
		});
	}

	/** Looks for something that no image has. */
	function findNothing(): void {
		store.search.run({ text: 'boat', among: 'all' });
		showRounds();
	}

	function describe(...images: Image[]): void {
		store.receive({ type: 'described', rounds: [], images });
	}

	const said = () => store.notices.announcements.map(({ text }) => text);

	suite('what has been described', () => {
		test('is the same object as before where it says the same', () => {
			describe(imageOf('2a', { chain: [{ label: '1a' }] }));
			const before = store.library.images.get('2a');
			describe(imageOf('2a', { chain: [{ label: '1a' }] }));
			assert.equal(store.library.images.get('2a'), before);
			describe(imageOf('2a', { chain: [{ label: '1b' }] }));
			assert.notEqual(store.library.images.get('2a'), before);
		});

		test('keeps a thumbnail until another comes, as long as the file is the same', () => {
			const thumbnailOf = (part: Partial<Image>) => {
				describe(imageOf('2a', { source: 'a?v=1', thumbnail: 'small' }));
				describe(imageOf('2a', part));
				return store.library.images.get('2a')?.thumbnail;
			};
			assert.equal(thumbnailOf({ source: 'a?v=1' }), 'small');
			assert.equal(thumbnailOf({ source: 'a?v=1', thumbnail: 'other' }), 'other');
			assert.equal(thumbnailOf({ source: 'a?v=2' }), undefined);
			assert.equal(thumbnailOf({ exists: false }), undefined);
		});

		test('is forgotten where it was said longest ago', () => {
			const many = Array.from({ length: 2000 }, (_, index) => imageOf(String(index)));
			describe(...many);
			describe(imageOf('0', { name: 'again' }), imageOf('new'));
			assert.equal(store.library.images.size, 2000);
			assert.equal(store.library.images.get('0')?.name, 'again');
			assert.equal(store.library.images.has('1'), false);
		});
	});

	suite('what the user decides', () => {
		test('is shown at once; an empty text takes a title away', async () => {
			describe(imageOf('2a', { title: 'calm', note: 'for the team' }));
			store.receive({
				type: 'described',
				rounds: [{ id: '2', collapsed: false, name: 'first try' } as StudioRound],
				images: [],
			});
			await Promise.all([
				store.ask({ type: 'annotateImages', ids: ['2a'], isFavorite: true, title: '' }),
				store.ask({ type: 'annotateRound', id: '2', collapsed: true }),
				store.ask({ type: 'annotateImages', ids: ['unknown'], isFavorite: true }),
			]);
			const { isFavorite, title, note } = store.library.images.get('2a')!;
			assert.deepEqual([isFavorite, title, note], [true, undefined, 'for the team']);
			assert.deepEqual(store.library.known.get('2'), {
				id: '2',
				collapsed: true,
				name: 'first try',
			});
		});

		test('is asked about again where it could not be done, and said why, once', async () => {
			describe(imageOf('2a'));
			failure = 'The disk is full.';
			assert.equal(
				await store.ask({ type: 'annotateImages', ids: ['2a'], isFavorite: true }),
				false,
			);
			assert.equal(
				await store.ask({ type: 'annotateImages', ids: ['2a'], isFavorite: true }),
				false,
			);
			assert.deepEqual(
				store.notices.shown.map(({ text }) => text),
				['The disk is full.'],
			);
		});

		test('moves a reference image where it was dropped', async () => {
			const references = ['a', 'b', 'c'].map((id) => ({ id }) as StudioReference);
			store.receive({ type: 'references', references });
			const ids = () => store.composer.references?.map(({ id }) => id).join('');
			await store.ask({ type: 'moveReference', id: 'c', to: 0 });
			assert.equal(ids(), 'cab');
			await store.ask({ type: 'moveReference', id: 'x', to: 0 });
			assert.equal(ids(), 'cab');
		});
	});

	suite('notices', () => {
		const notify = (text: string, undo?: string[]) =>
			store.receive({ type: 'notice', severity: 'info', text, ...(undo ? { undo } : {}) });
		const texts = () => store.notices.shown.map(({ text }) => text).join('');

		test('are the last three, newest last; what is said again stands there once', () => {
			for (const text of ['a', 'b', 'c', 'd', 'c']) {
				notify(text);
			}
			assert.equal(texts(), 'bdc');
		});

		test('that restore different images are not the same', () => {
			notify('a', ['1']);
			notify('a', ['2']);
			notify('a', ['2']);
			assert.equal(texts(), 'aa');
		});
	});

	suite('what is in view', () => {
		test('is the next image where one has gone, or the one before, or all', () => {
			store.view.open('2b');
			showRounds(placesOf('2', 'ac'), placesOf('1', 'a'));
			assert.equal(store.view.shown, '2c');
			showRounds(placesOf('2', 'a'));
			assert.equal(store.view.shown, '2a');
			showRounds();
			assert.equal(store.view.shown, undefined);
			assert.equal(store.view.isCovered, false);
		});

		test('is what is left of those that are compared, as long as these are two', () => {
			store.view.compare(['2a', '2b', '2c']);
			showRounds(placesOf('2', 'ac'), placesOf('1', 'a'));
			assert.deepEqual(store.view.compared, ['2a', '2c']);
			showRounds(placesOf('2', 'a'), placesOf('1', 'a'));
			assert.equal(store.view.compared, undefined);
		});

		test('stays while something else is looked for', () => {
			store.view.open('2b');
			findNothing();
			assert.equal(store.view.shown, '2b');
		});

		test('begins at its top where something else is looked for', () => {
			const before = store.view.scrolledToTop;
			findNothing();
			assert.equal(store.view.scrolledToTop, before + 1);
		});

		test('leads back to where it was opened', () => {
			store.view.open('2a');
			store.view.compare(['2a', '2b']);
			store.view.goBack();
			assert.equal(store.view.shown, '2a');
			store.view.goBack();
			assert.equal(store.view.shown, undefined);
			assert.deepEqual(store.focus.take('grid'), { target: 'grid', id: '2a' });
			assert.equal(store.focus.take('grid'), undefined, 'it is given once');
		});

		test('is gone through one by one, and named', () => {
			describe(imageOf('2b', { label: '2b', title: 'calm' }));
			store.view.open('2a');
			store.view.step(1);
			assert.equal(store.view.shown, '2b');
			assert.deepEqual(said(), ['2b, calm, 2 of 4']);
			store.view.step(-1);
			store.view.step(-1);
			assert.equal(store.view.shown, '2a');
		});

		test('is edited as long as it is open; a prompt written meanwhile stays about it', () => {
			store.view.open('2a');
			assert.deepEqual(asked.at(-1), { type: 'edit', id: '2a', how: 'inView' });
			const reference = { id: 'r', edited: true, fromView: true } as StudioReference;
			store.receive({ type: 'references', references: [reference] });
			store.composer.write({ prompt: 'make it dark' });
			store.view.goBack();
			assert.deepEqual(asked, [
				{ type: 'edit', id: '2a', how: 'inView' },
				{ type: 'edit', id: 'r', how: 'instead' },
			]);
		});
	});

	suite('the selection', () => {
		test('loses what has gone, but not what another search does not find', () => {
			store.selected.select(toggle(selectOnly('2a'), '1a'));
			showRounds(placesOf('2', 'bc'), placesOf('1', 'a'));
			assert.deepEqual([...store.selected.ids], ['1a']);
			findNothing();
			assert.deepEqual([...store.selected.ids], ['1a']);
		});

		test('is counted in words', () => {
			store.selected.select(selectOnly('2a'));
			store.selected.select(toggle(selectOnly('2a'), '2b'));
			store.selected.clear();
			assert.deepEqual(said(), ['1 image selected.', '2 images selected.', 'Nothing selected.']);
		});
	});

	test('sends nothing while the user types', () => {
		store.view.open('2a');
		asked = [];
		for (const prompt of ['a', 'a ', 'a b']) {
			store.composer.write({ prompt });
		}
		store.notices.announce('Saved.');
		assert.deepEqual(asked, []);
	});

	test('What a model writes takes the place of the prompt that it was asked with', () => {
		store.composer.write({ prompt: 'a pier' });
		store.receive({ type: 'drafted', instead: 'a pier', prompt: 'A wooden pier at dusk' });
		assert.equal(saved?.draft.prompt, 'A wooden pier at dusk');
		assert.deepEqual(store.composer.recent, ['a pier']);
		assert.notEqual(store.focus.take('prompt'), undefined);
	});

	test('What was typed while a model wrote stays, and the draft can be brought back', () => {
		store.composer.write({ prompt: 'a pier at noon' });
		store.receive({ type: 'drafted', instead: 'a pier', prompt: 'A wooden pier at dusk' });
		assert.equal(saved?.draft.prompt, 'a pier at noon');
		assert.deepEqual(store.composer.recent, ['A wooden pier at dusk']);
		assert.match(store.notices.shown.at(-1)?.text ?? '', /was not replaced/);
	});

	test('an image that is not found is looked for among all, then shown', () => {
		findNothing();
		store.view.reveal('1a');
		assert.deepEqual(store.search.query, everything);
		showRounds(placesOf('2', 'abc'), placesOf('1', 'a'));
		assert.deepEqual(store.focus.take('grid'), { target: 'grid', id: '1a' });
	});

	suite('jobs', () => {
		const report = (...jobs: Job[]) => store.receive({ type: 'jobs', jobs });

		test('are announced when they arrive, once; one that failed is not awaited', () => {
			report({ ...job, id: '3a' }, { ...job, id: '3b', label: '3b', prompt: 'a fox' });
			report({ ...job, id: '3a', state: 'failed', announcement: 'No.' });
			showRounds(placesOf('3', 'ab'));
			showRounds(placesOf('3', 'ab'));
			assert.deepEqual(
				said().filter((text) => text.endsWith('has arrived.')),
				['3b, a fox has arrived.'],
			);
		});

		test('that were asked for here are shown, whatever is looked at', async () => {
			report();
			store.view.open('2a');
			await store.ask({ type: 'roundAgain', id: '2' });
			report({ ...job, id: 'new' });
			assert.equal(store.view.shown, undefined);
			store.view.open('2a');
			report({ ...job, id: 'new' }, { ...job, id: 'of another window' });
			assert.equal(store.view.shown, '2a');
		});

		test('close their card when they end', () => {
			report(job);
			store.jobs.showCard('j');
			report();
			assert.equal(store.jobs.card, undefined);
		});
	});

	suite('the draft', () => {
		test('goes when it is in the journal, and can be brought back', () => {
			store.composer.write({ prompt: 'a harbor', count: 2 });
			store.composer.set({ sending: store.composer.draft });
			store.receive({ type: 'asked', accepted: true });
			assert.equal(saved?.draft.prompt, '');
			assert.deepEqual(store.composer.recent, ['a harbor']);
			assert.ok(said().includes('2 images requested.'));
		});

		test('stays where it was refused, and where something else was written meanwhile', () => {
			store.composer.write({ prompt: 'a harbor' });
			store.composer.set({ sending: store.composer.draft });
			store.receive({ type: 'asked', accepted: false });
			assert.equal(saved?.draft.prompt, 'a harbor');
			store.composer.set({ sending: store.composer.draft });
			store.composer.write({ prompt: 'a fox' });
			store.receive({ type: 'asked', accepted: true });
			assert.equal(saved?.draft.prompt, 'a fox');
		});

		test('that is replaced is the first that the arrow key brings', () => {
			store.composer.write({ prompt: 'half written' });
			store.receive({ type: 'compose', references: [], prompt: 'a harbor', words: 'As it was.' });
			assert.equal(saved?.draft.prompt, 'a harbor');
			assert.deepEqual(store.composer.recent, ['half written']);
			assert.deepEqual(
				store.notices.shown.map(({ text }) => text),
				['As it was.'],
			);
			store.composer.set({ sending: store.composer.draft });
			store.receive({ type: 'asked', accepted: true });
			assert.deepEqual(store.notices.shown, []);
		});
	});

	suite('marks', () => {
		const box: Mark = {
			...{ shape: 'rectangle', note: '' },
			...{ x: 0.1, y: 0.1, width: 0.2, height: 0.2 },
		};
		const noted = (note: string): Mark => ({ ...box, note });
		const edited = (image: string) => ({ id: `r${image}`, edited: true, image }) as StudioReference;
		const setupEvent = {
			...{ type: 'setup', sizes: [{ size: '1024x1024' }], qualities: ['unset'], missing: [] },
			...{ editsTakeQuality: false, defaults: { size: 'auto', quality: 'unset' } },
			...{ concurrency: 2, history: [] },
		} as unknown as StudioEvent;
		const marks = () => store.marking.marks.map(({ note }) => note);

		setup(() => {
			store.receive(setupEvent);
			store.view.open('2a');
			store.receive({ type: 'references', references: [{ ...edited('2a'), fromView: true }] });
			store.marking.use('rectangle');
			asked = [];
		});

		test('make their image the one that is edited, whatever is looked at next', () => {
			store.marking.add(box);
			assert.deepEqual(asked, [{ type: 'edit', id: '2a', how: 'instead' }]);
			store.receive({ type: 'references', references: [edited('2a')] });
			store.marking.add(box);
			assert.equal(asked.length, 1);
			store.view.step(1);
			assert.equal(store.marking.tool, undefined);
			assert.deepEqual(store.marking.marks, []);
			store.view.step(-1);
			assert.equal(store.marking.marks.length, 2);
		});

		test('are undone and done again step by step; keys held down are one step', () => {
			store.marking.add(box);
			store.marking.change(0, { ...box, x: 0.2 }, 'move');
			store.marking.change(0, { ...box, x: 0.3 }, 'move');
			store.marking.writeNote(0, 'blue');
			store.marking.add(box);
			store.marking.remove(0);
			assert.deepEqual(marks(), ['']);
			store.marking.undo();
			assert.deepEqual(marks(), ['blue', '']);
			store.marking.undo();
			store.marking.undo();
			assert.deepEqual(store.marking.marks, [{ ...box, x: 0.3 }]);
			store.marking.undo();
			assert.deepEqual(store.marking.marks, [box]);
			store.marking.undo();
			assert.deepEqual([marks(), store.marking.canUndo], [[], false]);
			store.marking.redo();
			store.marking.redo();
			store.marking.redo();
			assert.deepEqual(store.marking.marks, [{ ...box, x: 0.3, note: 'blue' }]);
			assert.ok(said().includes('1 mark.'));
		});

		test('are sent with their notes as the prompt, and cleared when that is in the journal', async () => {
			store.marking.add(noted('make it blue'));
			store.marking.add(noted(' and this red '));
			store.receive({ type: 'references', references: [edited('2a')] });
			await store.composer.send();
			const request = asked.at(-1);
			assert.equal(request?.type === 'generate' && request.prompt, 'make it blue; and this red');
			assert.equal(request?.type === 'generate' && request.marks?.length, 2);
			store.receive({ type: 'references', references: [] });
			store.receive({ type: 'asked', accepted: true });
			assert.deepEqual(saved?.draft.marks, []);
			// With another prompt they go again.
			store.composer.recallMarks('make it blue; and this red');
			assert.deepEqual(marks(), ['make it blue', ' and this red ']);
			store.composer.recallMarks('an older prompt');
			assert.deepEqual(marks(), []);
		});

		test('of another image are not sent, and those changed since they were sent stay', async () => {
			store.marking.add(noted('make it blue'));
			store.receive({ type: 'references', references: [edited('2b')] });
			store.composer.write({ prompt: 'a fox' });
			await store.composer.send();
			assert.equal(asked.at(-1)?.type === 'generate' && 'marks' in asked.at(-1)!, false);
			store.receive({ type: 'asked', accepted: false });
			store.receive({ type: 'references', references: [edited('2a')] });
			await store.composer.send();
			store.marking.writeNote(0, 'make it green');
			store.receive({ type: 'asked', accepted: true });
			assert.deepEqual(marks(), ['make it green']);
		});

		test('are made on an image that is compared, too, until the comparison is left', () => {
			store.view.compare(['1a', '2b']);
			assert.equal(store.marking.tool, undefined);
			store.marking.begin('2b');
			store.marking.add(noted('make it blue'));
			assert.deepEqual([store.marking.image, marks()], ['2b', ['make it blue']]);
			assert.deepEqual(asked.at(-1), { type: 'edit', id: '2b', how: 'instead' });
			store.marking.begin('1a');
			assert.deepEqual([marks(), store.marking.canUndo], [[], false]);
			store.view.open('2b');
			assert.deepEqual([store.marking.tool, marks()], [undefined, ['make it blue']]);
		});

		test('come with a request that is repeated', () => {
			const references = [edited('2c')];
			store.receive({ type: 'compose', references, prompt: 'a fox', marks: [noted('here')] });
			store.view.open('2c');
			assert.deepEqual(marks(), ['here']);
		});

		test('begin on an image that is asked for, as soon as a search finds it', () => {
			store.view.goBack();
			findNothing();
			store.receive({ type: 'mark', id: '1a' });
			assert.deepEqual([store.search.query, store.marking.tool], [everything, undefined]);
			showRounds(placesOf('2', 'abc'), placesOf('1', 'a'));
			assert.deepEqual([store.view.shown, store.marking.tool], ['1a', 'rectangle']);
		});

		test('have a limit, which is said', () => {
			for (let index = 0; index < maxMarks; index++) {
				assert.equal(store.marking.add(box), true);
			}
			assert.equal(store.marking.add(box), false);
			assert.equal(store.notices.shown.at(-1)?.text, 'An image can have up to 20 marks.');
		});
	});

	suite('the images of a folder', () => {
		const show = (folder: string, slots: string, query = store.search.query) =>
			store.receive({
				...{ type: 'rounds', query, rounds: [placesOf(folder, slots)], total: 4, favorites: 0 },
				...{ hasStyle: false, folder },
			});
		const files: Query = { text: '', among: 'files' };

		test('keep the selection of those that stay; it ends with the filter', () => {
			store.receive({ type: 'search', query: files, selected: [] });
			show('art', 'ab');
			assert.ok(store.library.showsFolder);
			store.selected.select(toggle(selectOnly('arta'), 'artb'));
			show('art', 'bc');
			assert.deepEqual([...store.selected.ids], ['artb']);
			store.search.run(everything);
			assert.deepEqual([...store.selected.ids], []);
		});

		test('begin at the first of another folder, and where they were after a reload', () => {
			store.receive({ type: 'search', query: files, selected: [] });
			show('art', 'ab');
			store.search.saveFolder({ at: 'artb' });
			const before = store.view.scrolledToTop;
			show('art', 'abc');
			assert.equal(store.view.scrolledToTop, before);
			assert.equal(saved?.folder?.at, 'artb');
			store.receive({ type: 'search', query: files, selected: [] });
			show('docs', 'ab');
			assert.equal(store.view.scrolledToTop, before + 1);
			assert.equal(saved?.folder?.at, undefined);
		});
	});
});
