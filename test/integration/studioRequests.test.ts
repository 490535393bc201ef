import assert from 'node:assert/strict';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createHash } from 'node:crypto';
import path from 'node:path';
import * as vscode from 'vscode';
import { Gallery, type GalleryImage } from '../../src/jobs/gallery.js';
import { againLease, readState, writeState } from '../../src/jobs/jobFolder.js';
import { readLease } from '../../src/jobs/leaseFiles.js';
import { Annotations } from '../../src/library/annotations.js';
import type { StudioEvent, StudioRequest } from '../../src/protocol/studio.js';
import { everything, type Image } from '../../src/protocol/studioModel.js';
import { until } from '../host/until.js';
import { roundOf } from '../unit/jobs/support.js';
import { atEnd } from './atEnd.js';
import { drawPng, galleryImage } from './images.js';
import { answering } from './questions.js';
import { service, useService } from './service.js';
import { ShownMessages } from './shownMessages.js';
import { contextIn, Memory, partsIn, StudioPage } from './studioPage.js';
import { storage, useStorage } from './storage.js';
import { inRoot, remove, root, setSetting } from './workspace.js';
import { rare } from '../host/rare.js';

suite('the studio’s requests', () => {
	let memory: Memory;
	let parts: ReturnType<typeof partsIn>;
	let page: StudioPage;

	useService();
	useStorage();

	setup(async () => {
		memory = new Memory();
		await mkdir(inRoot('studio'), { recursive: true });
		for (const name of ['a', 'b', 'c']) {
			await writeFile(inRoot('studio', `${name}.png`), await drawPng(name));
		}
		parts = partsIn(storage, memory);
		page = new StudioPage(parts, contextIn(storage, memory));
	});

	teardown(async () => {
		service.faults.clear();
		service.releaseHeld();
		page.dispose();
		parts.dispose();
		assert.deepEqual(page.refused, [], 'what the page could not read');
		await setSetting('easel.service.confirmCalls', 'never');
		await vscode.commands.executeCommand('notifications.clearAll');
		await remove('studio');
		await remove('images');
	});

	const uriOf = (name: string) => vscode.Uri.joinPath(root(), 'studio', `${name}.png`);

	/** An image of the studio whose file is there. */
	async function made(name: string, values: Partial<GalleryImage> = {}): Promise<GalleryImage> {
		const bytes = await readFile(uriOf(name).fsPath);
		const sha256 = createHash('sha256').update(bytes).digest('hex');
		const image = galleryImage(uriOf(name), { bytes: bytes.length, sha256, ...values });
		await parts.gallery.restore(image);
		return image;
	}

	/** Sends what the composer shows. */
	async function generateFor(
		values: Partial<Extract<StudioRequest, { type: 'generate' }>> = {},
	): Promise<Extract<StudioRequest, { type: 'generate' }>> {
		const { references } = await page.reported('references');
		const edited = references.find((reference) => reference.edited)?.id;
		return {
			type: 'generate',
			references: references.map(({ id }) => id),
			...(edited === undefined ? {} : { edited }),
			...{ prompt: 'A harbor', size: '1024x1024', quality: 'unset', count: 1 },
			...values,
		};
	}

	const sha256Of = async (name: string) =>
		createHash('sha256')
			.update(await readFile(uriOf(name).fsPath))
			.digest('hex');

	/** Waits until there are so many images, and nothing runs any more. */
	const arrived = (count: number) =>
		until(
			async () => parts.jobs.running.length === 0 && (await parts.gallery.list()).length === count,
			`${String(count)} images`,
		);

	/** The image as it was reported last, in an answer or later. */
	async function described(id: string): Promise<Image> {
		const { images } = await page.described({ images: [id] });
		assert.equal(images.length, 1);
		return images[0]!;
	}

	/** Returns the questions that a request causes, and answers them with no. */
	async function askedFor(send: () => Promise<unknown>) {
		const questions = new ShownMessages(['showWarningMessage']);
		try {
			await send();
			await until(() => questions.all.length > 0, 'the question');
			return questions.all;
		} finally {
			questions.dispose();
		}
	}

	suite('to edit', () => {
		test('continue the image that was chosen last, and that one alone is sent', async () => {
			const [a, b] = [await made('a'), await made('b', { width: 1536 })];
			await page.ask({ type: 'ready' });
			await page.ask({ type: 'edit', id: a.id, how: 'alone' });
			await page.reported('references', ({ references }) => references[0]?.name === 'a.png');
			await page.ask({ type: 'edit', id: b.id, how: 'alone' });
			const { references } = await page.reported(
				'references',
				({ references: [first] }) => first?.name === 'b.png' && first.thumbnail !== undefined,
			);
			assert.deepEqual(
				references.map(({ name, edited, label, image, size }) => [
					...[name, edited, label, image],
					size,
				]),
				[['b.png', true, '2a', b.id, '1024x1024']],
			);
			const { prompt } = await page.reported('compose');
			assert.equal(prompt, undefined, 'what is written stays');
			const before = service.requests.length;
			await page.ask(await generateFor({ prompt: 'Make it night' }));
			await service.waitForRequest(before + 1);
			const sent = service.requests.at(-1)!;
			assert.equal(sent.endpoint, 'edits');
			assert.deepEqual(
				sent.references.map(({ sha256 }) => sha256),
				[await sha256Of('b')],
			);
			await arrived(3);
			const [edit] = await parts.gallery.list();
			assert.deepEqual([edit?.operation, edit?.references], ['edit', [b.target]]);
			const { chain, hasOriginal } = await described(edit!.id);
			assert.deepEqual([chain, hasOriginal], [[{ id: b.id, label: '2a' }], true]);
			const events = page.heard.map(({ type }) => type);
			const reported = page.heard.findLastIndex(
				(event) => event.type === 'references' && event.references.length === 0,
			);
			assert.ok(reported > 0, 'what was attached has gone with the message');
			assert.ok(reported < events.lastIndexOf('asked'), 'and not later than its prompt');
		});

		rare('follow the image in view, until the user chooses another one', async () => {
			const [a, b, c] = [await made('a'), await made('b'), await made('c')];
			/** Waits until this is edited, and nothing else is attached. */
			const isEdited = (image: GalleryImage | undefined, fromView?: true) =>
				until(
					() => {
						const last = page.heard.findLast(
							(event) => event.type === 'references' || event.type === 'compose',
						);
						const shown = last?.references.map((one) => [one.image, one.fromView]) ?? [];
						const expected = image === undefined ? [] : [[image.id, fromView]];
						return JSON.stringify(shown) === JSON.stringify(expected);
					},
					`the target ${image?.target ?? 'none'}`,
				);
			await page.ask({ type: 'ready' });
			await page.ask({ type: 'edit', id: a.id, how: 'inView' });
			await isEdited(a, true);
			await page.ask({ type: 'edit', id: b.id, how: 'inView' });
			await isEdited(b, true);
			await page.ask({ type: 'edit', how: 'inView' });
			await isEdited(undefined);

			await page.ask({ type: 'edit', id: a.id, how: 'alone' });
			await isEdited(a);
			await page.ask({ type: 'edit', id: b.id, how: 'inView' });
			await isEdited(a);
			const composed = page.all('compose').length;
			await page.ask({ type: 'edit', id: b.id, how: 'instead' });
			await isEdited(b);
			assert.equal(page.all('compose').length, composed, 'the prompt stays');
			await page.ask({ type: 'edit', id: c.id, how: 'inView' });
			await page.ask({ type: 'edit', how: 'inView' });
			await isEdited(b);
		});

		rare('keep what has been written about the image in view', async () => {
			const a = await made('a');
			await page.ask({ type: 'ready' });
			await page.ask({ type: 'edit', id: a.id, how: 'inView' });
			await page.reported('references', ({ references }) => references[0]?.fromView === true);
			await page.ask({ type: 'edit', id: a.id, how: 'alone' });
			const { prompt, references } = await page.reported('compose');
			assert.equal(prompt, undefined);
			assert.deepEqual(
				references.map(({ image, fromView }) => [image, fromView]),
				[[a.id, undefined]],
			);
		});

		rare('come back with the prompt of the last message, without what has gone', async () => {
			const a = await made('a');
			const bytes = new Uint8Array(await readFile(uriOf('c').fsPath));
			const names = async () =>
				(await page.reported('references')).references.map(({ name, edited }) => [name, edited]);
			await page.ask({ type: 'ready' });
			await page.ask({ type: 'edit', id: a.id, how: 'alone' });
			await page.ask({ type: 'dropReferences', uris: [uriOf('b').toString()] });
			await page.ask({ type: 'addReference', name: 'pasted.png', bytes });
			await page.reported('references', ({ references }) => references.length === 3);
			await page.ask(await generateFor({ prompt: ' Darker ' }));
			await page.reported('asked', ({ accepted }) => accepted);
			assert.deepEqual(await names(), []);
			const { history } = await page.reported('setup', (event) => event.history[0] === 'Darker');
			assert.equal(history.filter((prompt) => prompt === 'Darker').length, 1);

			await page.ask({ type: 'recallReferences', prompt: 'An earlier one' });
			assert.deepEqual(await names(), []);
			const before = page.all('compose').length;
			await rm(uriOf('b').fsPath);
			await page.ask({ type: 'recallReferences', prompt: 'Darker' });
			const { words, references } = await page.reported('compose', (event) => Boolean(event.words));
			assert.equal(page.all('compose').length, before + 1);
			assert.equal(words, 'b.png was removed; it is not sent.');
			assert.deepEqual(
				references.map(({ name, edited }) => [name, edited]),
				[
					['a.png', true],
					['pasted.png', false],
				],
			);
			await page.ask({ type: 'recallReferences', prompt: 'An earlier one' });
			await page.reported('references', ({ references: all }) => all.length === 0);
			await page.ask({ type: 'recallReferences', prompt: 'Darker' });
			await page.reported('references', ({ references: all }) => all.length === 2);
			await arrived(2);
		});

		rare('are refused where the images are others than those that are shown', async () => {
			const [a, b] = [await made('a'), await made('b')];
			await page.ask({ type: 'ready' });
			await page.ask({ type: 'edit', id: a.id, how: 'alone' });
			await page.reported('references', ({ references }) => references.length === 1);
			const shown = await generateFor();
			await page.ask({ type: 'edit', id: b.id, how: 'alone' });
			await page.reported('references', ({ references }) => references[0]?.name === 'b.png');
			const before = service.requests.length;
			const now = await generateFor();
			const notEdited: typeof now = { ...now };
			delete notEdited.edited;
			for (const request of [
				shown,
				notEdited,
				{ ...now, references: [] },
				{ ...now, references: [...now.references, ...shown.references] },
				{ ...notEdited, edited: shown.references[0]! },
			]) {
				await assert.rejects(page.ask(request), {
					message: 'The reference images have changed. Nothing was sent. Check them and try again.',
				});
			}
			assert.deepEqual([service.requests.length, parts.jobs.requests], [before, []]);
		});

		rare(
			'make the pasted image the one that is edited, and a generation of what is not',
			async () => {
				const bytes = new Uint8Array(await readFile(uriOf('c').fsPath));
				await page.ask({ type: 'ready' });
				await page.ask({ type: 'addReference', name: 'pasted.png', bytes });
				await page.reported('references', ({ references }) => references.length === 1);
				const first = await generateFor({ prompt: 'A boat' });
				assert.equal(first.edited, undefined);
				await page.ask(first);
				await arrived(1);
				assert.equal((await parts.gallery.list())[0]?.operation, 'generate');
				await page.ask({ type: 'recallReferences', prompt: 'A boat' });
				await page.reported('references', ({ references }) => references.length === 1);
				await page.ask({ type: 'edit', id: first.references[0]!, how: 'instead' });
				await page.reported('references', ({ references }) => references[0]?.edited === true);
				await page.ask(await generateFor({ prompt: 'At night' }));
				await arrived(2);
				const [edit] = await parts.gallery.list();
				assert.equal(edit?.operation, 'edit');
				assert.equal(path.basename(vscode.Uri.parse(edit.target).fsPath), 'at-night.png');
				const { chain, hasOriginal } = await described(edit.id);
				assert.deepEqual([chain, hasOriginal], [[{ label: 'the pasted image' }], false]);
			},
		);
	});

	rare('change the reference images and the rest of the draft in one message', async () => {
		const a = await made('a');
		await made('b');
		await page.ask({ type: 'ready' });
		await page.ask({ type: 'dropReferences', uris: [uriOf('b').toString()] });
		await page.reported('references', ({ references }) => references.length === 1);
		const namesIn = (event: StudioEvent) =>
			event.type === 'compose' || event.type === 'references'
				? event.references.map(({ name }) => name).join()
				: undefined;
		for (const action of ['edit', 'usePrompt', 'useInHighQuality'] as const) {
			const before = page.heard.length;
			const names = page.heard.map(namesIn).findLast((one) => one !== undefined);
			await page.ask(
				action === 'edit'
					? { type: 'edit', id: a.id, how: 'alone' }
					: { type: 'image', id: a.id, action },
			);
			await until(() => page.heard.slice(before).some(({ type }) => type === 'compose'), action);
			// What was shown already may be sent once more.
			const first = page.heard
				.slice(before)
				.find((event) => event.type === 'compose' || (namesIn(event) ?? names) !== names);
			assert.equal(first?.type, 'compose', `${action}: the first that changes is all of it`);
		}
	});

	/** All reference images that the page received behind this event. */
	function referencesSince(event: StudioEvent): unknown[] {
		return page.heard
			.slice(page.heard.indexOf(event) + 1)
			.flatMap((later) => (later.type === 'references' ? later.references : []));
	}

	suite('to use a prompt again', () => {
		rare('restore the request as it was: references of another draft are gone', async () => {
			await made('a');
			const b = await made('b', { prompt: 'A tower', size: '1536x1024', quality: 'low' });
			await page.ask({ type: 'ready' });
			await page.ask({ type: 'dropReferences', uris: [uriOf('a').toString()] });
			await page.ask({ type: 'image', id: b.id, action: 'usePrompt' });
			const reported = await page.reported('compose');
			assert.deepEqual(reported, {
				type: 'compose',
				references: [],
				...{ prompt: 'A tower', size: '1536x1024', quality: 'low', withoutStyle: false },
				background: 'auto',
			});
			assert.deepEqual(referencesSince(reported), []);
		});

		rare('mark what was edited, and name what is not there any more', async () => {
			const gone = vscode.Uri.joinPath(root(), 'studio', 'gone.png').toString();
			const c = await made('c', {
				operation: 'edit',
				references: [uriOf('a').toString(), gone, uriOf('b').toString()],
			});
			await page.ask({ type: 'ready' });
			await page.ask({ type: 'image', id: c.id, action: 'usePrompt' });
			const { references, words } = await page.reported('compose');
			assert.equal(words, 'gone.png was removed; it is not sent.');
			assert.deepEqual(
				references.map(({ name, edited }) => [name, edited]),
				[
					['a.png', true],
					['b.png', false],
				],
			);
		});

		rare('in high quality send nothing and say that it makes another picture', async () => {
			const a = await made('a', { operation: 'edit', references: [uriOf('b').toString()] });
			await page.ask({ type: 'ready' });
			await page.ask({ type: 'dropReferences', uris: [uriOf('c').toString()] });
			const before = service.requests.length;
			await page.ask({ type: 'image', id: a.id, action: 'useInHighQuality' });
			const reported = await page.reported('compose');
			assert.deepEqual(
				[reported.prompt, reported.quality, reported.references],
				[a.prompt, 'high', []],
			);
			assert.equal(reported.words, 'This makes a different image; the service cannot repeat one.');
			assert.deepEqual(referencesSince(reported), []);
			assert.deepEqual([service.requests.length, parts.jobs.requests], [before, []]);
		});

		test('keep references and size as far as another service takes them', async () => {
			const a = await made('a', {
				...({ operation: 'edit', references: [uriOf('b').toString()], size: '1000x1000' } as const),
			});
			await setSetting('easel.service.type', 'openai');
			atEnd(() => setSetting('easel.service.type', undefined));
			await page.ask({ type: 'ready' });
			await page.ask({ type: 'image', id: a.id, action: 'useInHighQuality' });
			const { quality, size, references, words } = await page.reported('compose');
			assert.deepEqual([quality, size, references.length], ['high', '1008x1008', 1]);
			assert.equal(words, 'OpenAI offers other choices: 1008x1008 in place of 1000x1000.');
		});

		rare('copy it as it is', async () => {
			const a = await made('a', { prompt: `A harbor\n${'x'.repeat(30_000)}` });
			await page.ask({ type: 'ready' });
			await page.ask({ type: 'image', id: a.id, action: 'copyPrompt' });
			await until(
				async () => (await vscode.env.clipboard.readText()) === a.prompt,
				'the prompt in the clipboard',
			);
		});
	});

	suite('about rounds', () => {
		test('tell of running images in their places, which keep identifier and place when they arrive', async () => {
			await page.ask({ type: 'ready' });
			service.faults.add({ times: 2, hold: true });
			const before = service.requests.length;
			await page.ask(await generateFor({ prompt: 'Two boats', count: 2, size: '1536x1024' }));
			const running = await page.reported('rounds', ({ rounds }) => rounds[0]?.slots.length === 2);
			const [round] = running.rounds;
			assert.deepEqual(
				round?.slots.map(({ kind, ratio }) => [kind, ratio]),
				[
					['job', 1.5],
					['job', 1.5],
				],
			);
			await service.waitForRequest(before + 2);
			const { jobs } = await page.reported('jobs', ({ jobs: all }) =>
				all.some(({ short }) => short === '0:00' || short === '0:01'),
			);
			assert.deepEqual(jobs.map(({ label }) => label).sort(), ['1a', '1b']);
			service.releaseHeld();
			const arrived = await page.reported('rounds', ({ rounds: [first] }) =>
				Boolean(first?.slots.every(({ kind }) => kind === 'image')),
			);
			assert.deepEqual(
				arrived.rounds[0]?.slots.map(({ id }) => id),
				round?.slots.map(({ id }) => id),
			);
			for (const { rounds } of page.all('rounds')) {
				assert.ok(rounds.length === 0 || rounds[0]?.slots.length === 2, 'no place ever goes');
			}
			const answer = await page.described({ rounds: [round.id] });
			const { title, prompt, prompts, collapsed, from } = answer.rounds[0]!;
			assert.deepEqual(
				[title, prompt, prompts, collapsed, from],
				['Round 1', 'Two boats', 1, false, undefined],
			);
		});

		rare(
			'leave what has failed in its place, with its cause; all of them can be sent again or dismissed',
			async () => {
				await page.ask({ type: 'ready' });
				service.faults.add({ status: 400, times: 6, message: 'No.' });
				await page.ask(await generateFor({ prompt: 'Three boats', count: 3 }));
				const { jobs } = await page.reported(
					'jobs',
					({ jobs: all }) => all.filter(({ state }) => state === 'failed').length === 3,
				);
				const [first] = jobs;
				assert.deepEqual(
					jobs.map(({ short, cause }) => [short, cause]),
					Array.from({ length: 3 }, () => ['Failed', first?.cause]),
				);
				assert.notEqual(first?.cause, undefined);
				const ids = jobs.map(({ id }) => id);
				const places = (await page.reported('rounds')).rounds[0];
				assert.deepEqual(new Set(places?.slots.map(({ id }) => id)), new Set(ids));
				const before = service.requests.length;
				// Those until now came one after another.
				const reported = page.all('rounds').length;
				await page.ask({ type: 'jobs', ids, action: 'again' });
				await service.waitForRequest(before + 3);
				const again = await page.reported(
					'jobs',
					({ jobs: all }) =>
						all.filter(({ state, id }) => state === 'failed' && !ids.includes(id)).length === 3,
				);
				assert.deepEqual(again.jobs.map(({ label }) => label).sort(), ['1a', '1b', '1c']);
				const rounds = page.all('rounds').slice(reported);
				assert.deepEqual(
					rounds
						.flatMap(({ rounds: all }) => all)
						.map(({ slots }) => slots.length)
						.filter((count) => count !== 3),
					[],
					'no place ever goes',
				);
				await page.ask({
					...{ type: 'jobs', action: 'dismiss' },
					ids: again.jobs.map(({ id }) => id),
				});
				await page.reported('rounds', ({ rounds: all }) => all.length === 0);
			},
		);

		rare('that may have been charged are retried together only where the user agrees', async () => {
			await page.ask({ type: 'ready' });
			service.faults.add({ status: 400, times: 2, message: 'No.' });
			await page.ask(await generateFor({ prompt: 'Two boats', count: 2 }));
			const { jobs } = await page.reported(
				'jobs',
				({ jobs: all }) => all.filter(({ state }) => state === 'failed').length === 2,
			);
			const ids = jobs.map(({ id }) => id);
			const [known, lost] = parts.jobs.failed;
			assert.ok(known && lost);
			const { folder } = lost.entry;
			await until(
				async () => (await readState(folder)).notified === true,
				'it to be noted as notified',
			);
			// As where the worker was killed while the service was at it.
			await writeState(folder, {
				state: 'interrupted',
				charge: 'unknown',
				attempts: [{ number: 1, startedAt: new Date().toISOString() }],
				changedAt: new Date().toISOString(),
				notified: true,
			});
			const before = service.requests.length;
			let answer: string | undefined;
			const shown = new ShownMessages(['showWarningMessage'], () => answer);
			const isLeft = async ({ entry }: typeof lost) =>
				(await readLease(entry.folder, againLease))?.owner === undefined;
			/** The question to this request of the page, once nothing is done about it any more. */
			const question = async (request: Parameters<StudioPage['ask']>[0]) => {
				shown.clear();
				await page.ask(request);
				await until(() => shown.all.length > 0, 'the question');
				await until(async () => (await isLeft(known)) && (await isLeft(lost)), 'its end');
				return shown.all.map(({ text, detail, buttons }) => [text, detail, ...buttons]);
			};
			const [inGeneral, ofOne] = [' for 1 of them', ''].map(
				(which) => `You may already be charged${which}.`,
			);
			const warning = 'Retry (May Be Charged Twice)';
			try {
				assert.deepEqual(await question({ type: 'jobs', ids, action: 'again' }), [
					['Retry 2 images?', inGeneral, warning],
				]);
				// One by itself too, behind a button that does not say so: that of a key, or an old one.
				assert.deepEqual(
					await question({ type: 'job', id: lost.entry.request.id, action: 'again' }),
					[['Retry this image?', ofOne, warning]],
				);
				assert.equal(service.requests.length, before);
				assert.equal(parts.jobs.failed.length, 2);
				answer = warning;
				await page.ask({ type: 'jobs', ids, action: 'again' });
				await service.waitForRequest(before + 2);
			} finally {
				shown.dispose();
			}
			await arrived(2);
		});

		rare('once more ask first, and make all of it, as a round of its own', async () => {
			const round = roundOf();
			const images = [
				await made('a', { round: { ...round, place: 0 } }),
				await made('b', { round: { ...round, place: 1 }, prompt: 'A tower' }),
			];
			await page.ask({ type: 'ready' });
			const before = service.requests.length;
			const asked = await askedFor(() => page.ask({ type: 'roundAgain', id: round.id }));
			const [question] = asked;
			assert.equal(question?.text, 'Generate 2 images again?');
			assert.equal(question.detail, '2 paid requests');
			assert.equal(service.requests.length, before);
			await answering('Generate', async () => {
				await page.ask({ type: 'roundAgain', id: round.id });
				await service.waitForRequest(before + 2);
			});
			await arrived(4);
			const { rounds } = await page.reported('rounds', ({ rounds: all }) =>
				Boolean(all.length === 2 && all[0]?.slots.every(({ kind }) => kind === 'image')),
			);
			assert.equal(rounds[1]?.id, round.id);
			const made2 = (await parts.gallery.list()).filter(({ id }) =>
				rounds[0]?.slots.some((slot) => slot.id === id),
			);
			assert.deepEqual(
				made2.map(({ prompt }) => prompt).sort(),
				images.map(({ prompt }) => prompt).sort(),
			);
			assert.deepEqual(new Set(made2.map((image) => image.round?.number)), new Set([2]));
		});

		rare('once more have the sizes that the service offers, and the question says so', async () => {
			const round = roundOf();
			for (const [place, size] of (['1000x1000', '1024x1024', '1000x1000'] as const).entries()) {
				await made(['a', 'b', 'c'][place]!, { round: { ...round, count: 3, place }, size });
			}
			await page.ask({ type: 'ready' });
			const before = service.requests.length;
			const { asked } = await answering('Generate', async () => {
				await page.ask({ type: 'roundAgain', id: round.id });
				await service.waitForRequest(before + 3);
			});
			assert.deepEqual(
				asked.map(({ detail }) => detail),
				[
					'Standard image service offers other choices: 1024x1024 in place of 1000x1000.\n3 paid requests',
				],
			);
			const sizes = service.requests
				.slice(before)
				.map(({ fields }) => fields.find(({ name }) => name === 'size')?.value);
			assert.deepEqual(sizes, Array(3).fill('1024x1024'));
			await arrived(6);
		});

		rare(
			'once more are refused where a reference is gone, by a notification while hidden',
			async () => {
				const gone = vscode.Uri.joinPath(root(), 'studio', 'gone.png').toString();
				const a = await made('a', { operation: 'edit', references: [gone] });
				const words =
					/^gone\.png is missing, so this round cannot be repeated\. .* Nothing was sent\.$/;
				await page.ask({ type: 'ready' });
				await page.ask({ type: 'roundAgain', id: a.id });
				assert.match((await page.reported('notice')).text, words);
				page.setVisible(false);
				const shown = new ShownMessages(['showErrorMessage']);
				try {
					await page.ask({ type: 'roundAgain', id: a.id });
					await until(() => shown.all.length > 0, 'the notification');
					assert.match(shown.texts.join(), words);
				} finally {
					shown.dispose();
				}
				assert.equal(page.all('notice').length, 1);
				assert.deepEqual(parts.jobs.requests, []);
			},
		);

		rare(
			'that were accepted while the page was hidden are reported to the one that comes back, once',
			async () => {
				await page.ask({ type: 'ready' });
				page.setVisible(false);
				await page.ask(await generateFor({ prompt: 'A pier' }));
				await page.reported('asked');
				page.setVisible(true);
				for (let time = 0; time < 2; time += 1) {
					await page.ask({ type: 'ready' });
				}
				// The first one is received by no page.
				assert.deepEqual(
					page.all('asked').map(({ accepted }) => accepted),
					[true, true],
				);
				await arrived(1);
			},
		);

		rare('that another window has made are there without a click', async () => {
			await page.ask({ type: 'ready' });
			const other = new Gallery(storage);
			const image = galleryImage(uriOf('a'));
			await other.restore(image);
			const { rounds, total } = await page.reported(
				'rounds',
				({ rounds: all }) => all.length === 1,
			);
			assert.deepEqual([rounds[0]?.slots[0]?.id, total], [image.id, 1]);
			await new Annotations(storage).setImages([image.id], { isFavorite: true });
			await page.reported('rounds', ({ favorites }) => favorites === 1);
		});
	});

	suite('about annotations', () => {
		rare('keep, name and note an image, find it by that, and link it by its name', async () => {
			const [a, b] = [await made('a'), await made('b')];
			await page.ask({ type: 'ready' });
			await described(a.id);
			await page.ask({
				type: 'annotateImages',
				ids: [a.id],
				isFavorite: true,
				title: ' Pier ',
				note: 'For Ann.',
			});
			const { images } = await page.reported('described', ({ images: all }) =>
				all.some(({ isFavorite, thumbnail }) => isFavorite && thumbnail !== undefined),
			);
			const { isFavorite, title, note } = images[0]!;
			assert.deepEqual([isFavorite, title, note], [true, 'Pier', 'For Ann.']);
			await page.ask({ type: 'search', query: { text: '', among: 'favorites' } });
			const found = await page.reported('rounds', ({ query }) => query.among === 'favorites');
			assert.deepEqual(
				[found.rounds.map(({ slots: [slot] }) => slot?.id), found.total, found.favorites],
				[[a.id], 2, 1],
			);
			// The log in the panel is no document.
			await vscode.commands.executeCommand('easel.showLog');
			const isOutput = ({ document }: vscode.TextEditor) => document.uri.scheme === 'output';
			await until(() => vscode.window.visibleTextEditors.some(isOutput), 'the log');
			const copied = 'nothing is copied yet';
			await vscode.env.clipboard.writeText(copied);
			await page.ask({ type: 'image', id: a.id, action: 'copyImageLink' });
			await until(async () => (await vscode.env.clipboard.readText()) !== copied, 'the link');
			assert.match(await vscode.env.clipboard.readText(), /^!\[Pier\]\(.*a\.png\)$/);
			assert.deepEqual(page.all('modelTasks').at(-1)?.tasks, ['improve']);
			await vscode.commands.executeCommand('workbench.action.closePanel');
			await page.ask({ type: 'annotateImages', ids: [a.id], isFavorite: false, title: '' });
			await page.reported(
				'rounds',
				({ query, rounds }) => query.among === 'favorites' && rounds.length === 0,
			);
			const now = await described(a.id);
			assert.deepEqual([now.isFavorite, now.title, now.note], [false, undefined, 'For Ann.']);
			await page.ask({ type: 'search', query: everything });
			await page.ask({ type: 'annotateImages', ids: [crypto.randomUUID()], isFavorite: true });
			const all = await page.reported('rounds', ({ query }) => query.among === 'all');
			assert.deepEqual([all.favorites, all.rounds.length, b.id !== a.id], [0, 2, true]);
		});

		rare('name and fold up a round', async () => {
			const a = await made('a');
			await page.ask({ type: 'ready' });
			await page.ask({ type: 'annotateRound', id: a.id, name: 'Harbors', collapsed: true });
			const reported = await page.reported('described', ({ rounds }) => rounds.length === 1);
			assert.deepEqual(
				[reported.rounds[0]?.name, reported.rounds[0]?.collapsed, reported.rounds[0]?.title],
				['Harbors', true, 'Round 1'],
			);
		});

		rare('search the images of the folder that is shown', async () => {
			const a = await made('a');
			await made('b', { target: vscode.Uri.joinPath(root(), 'elsewhere', 'b.png').toString() });
			await writeFile(inRoot('studio', 'page.md'), '# A page\n');
			await page.ask({ type: 'ready' });
			await vscode.window.showTextDocument(vscode.Uri.joinPath(root(), 'studio', 'page.md'));
			await page.reported('rounds', ({ folder }) => folder === 'studio');
			await page.ask({ type: 'search', query: { text: '', among: 'folder' } });
			const { rounds } = await page.reported('rounds', ({ query }) => query.among === 'folder');
			assert.deepEqual(
				rounds.map(({ slots: [slot] }) => slot?.id),
				[a.id],
			);
			await vscode.commands.executeCommand('workbench.action.closeAllEditors');
		});
	});

	test('delete several images at once, and bring all of them back', async () => {
		const [a, b, c] = [await made('a'), await made('b'), await made('c')];
		await page.ask({ type: 'ready' });
		await page.ask({ type: 'images', ids: [a.id, b.id], action: 'remove' });
		const { text, undo } = await page.reported('notice');
		assert.deepEqual([text, undo], ['2 images were deleted.', [a.id, b.id]]);
		await page.reported(
			'rounds',
			({ rounds, total }) => total === 1 && rounds[0]?.slots[0]?.id === c.id,
		);
		const before = page.all('rounds').length;
		await page.ask({ type: 'undoRemove', ids: [a.id, b.id] });
		await until(
			() =>
				page
					.all('rounds')
					.slice(before)
					.some(({ total }) => total === 3),
			'all of them to be back',
		);
	});

	rare('a draft begins with the size of the setting, whatever size was used last', async () => {
		await parts.preferences.rememberSize('1536x1024');
		await page.ask({ type: 'ready' });
		assert.equal((await page.reported('setup')).defaults.size, '1536x1024', 'where none is set');
		await setSetting('easel.image.size', '2048x2048', vscode.ConfigurationTarget.Workspace);
		atEnd(() => setSetting('easel.image.size', undefined, vscode.ConfigurationTarget.Workspace));
		await page.reported('setup', ({ defaults }) => defaults.size === '2048x2048');
	});
});
