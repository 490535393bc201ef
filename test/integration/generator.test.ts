import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { BackupStore } from '../../src/editor/backupStore.js';
import { Preferences } from '../../src/editor/preferences.js';
import { ApiKeys } from '../../src/editor/secrets.js';
import { failureText, stepsAfter, uploadSize } from '../../src/generation/failures.js';
import { recipeWriter } from '../../src/generation/recipeWriter.js';
import { Exporter } from '../../src/generation/exporter.js';
import { Generator } from '../../src/generation/generator.js';
import { Anchors } from '../../src/generation/anchors.js';
import { changeRequests, linkPair } from '../../src/asking/requestCommands.js';
import { Budget } from '../../src/generation/budget.js';
import { DeletedImages } from '../../src/library/deletedImages.js';
import { JobList } from '../../src/generation/jobList.js';
import { SmallerReferences } from '../../src/generation/referenceImages.js';
import { RequestPreview } from '../../src/style/requestPreview.js';
import { Styles } from '../../src/style/styles.js';
import { sha256Of } from '../../src/images/hash.js';
import { inspectImage } from '../../src/images/inspect.js';
import { Gallery, galleryFile } from '../../src/jobs/gallery.js';
import { readEntry, readState, windowLease, writeState } from '../../src/jobs/jobFolder.js';
import { Journal } from '../../src/jobs/journal.js';
import { readLease } from '../../src/jobs/leaseFiles.js';
import { Lineage, roundsOf } from '../../src/library/rounds.js';
import { Ledger } from '../../src/jobs/ledger.js';
import { Leases } from '../../src/jobs/windowLeases.js';
import { isOver } from '../../src/jobs/state.js';
import { Slots } from '../../src/jobs/slots.js';
import { until } from '../host/until.js';
import { drawPicture } from '../service/picture.js';
import { padPng } from '../service/png.js';
import { atEnd } from './atEnd.js';
import { finishedJobs } from './finishedJobs.js';
import { fourColorJpeg } from '../formats/oddPictures.js';
import { drawPng } from './images.js';
import { MemoryFiles } from './memoryFiles.js';
import { service, useService } from './service.js';
import { ShownMessages, type ShownMessage } from './shownMessages.js';
import { noSecrets } from './studioPage.js';
import { storage, useStorage } from './storage.js';
import { inRoot, remove, root } from './workspace.js';
import { rare } from '../host/rare.js';
import type { ImageRequest } from '../../src/jobs/request.js';
import { imageRequest } from './imageRequest.js';

suite('Images on their way', () => {
	/** Things that a test has opened, closed at its end. */
	const open: { dispose: () => unknown }[] = [];

	useService();
	useStorage();

	teardown(async () => {
		service.faults.clear();
		await Promise.all(open.splice(0).map((one) => one.dispose()));
		await vscode.commands.executeCommand('notifications.clearAll');
		await remove('images');
	});

	/** The parts as the extension makes them, with a storage of their own. */
	function start({
		worker = inRepository('dist/worker.js'),
		anchors = new Anchors(),
	}: { worker?: string; anchors?: Anchors } = {}) {
		const jobs = new JobList();
		const leases = new Leases();
		const journal = new Journal(path.join(storage, 'jobs'));
		const gallery = new Gallery(storage);
		const slots = new Slots(path.join(storage, 'slots'), leases, journal);
		const keys = new ApiKeys(noSecrets, nothingKept);
		const preferences = new Preferences(notTheFirstTime);
		const pixelWorker = inRepository('dist/thumbnails.js');
		const smallerReferences = new SmallerReferences(path.join(storage, 'smaller'), pixelWorker);
		const preview = new RequestPreview();
		const styles = new Styles(nothingKept, preview);
		const generator = new Generator({
			...{ keys, preferences, jobs, journal, gallery, leases, slots, anchors, worker },
			budget: new Budget(new Ledger(storage)),
			changeRequests,
			linkPair,
			deletedImages: new DeletedImages(gallery, new BackupStore(storage)),
			finished: finishedJobs(storage, gallery, leases),
			smallerReferences,
			exporter: new Exporter(path.join(storage, 'exports'), pixelWorker),
			pixelWorker,
			styles,
			recipes: recipeWriter('1.2.3'),
		});
		// Not the log: the editor gives one channel to all that ask by its name.
		open.push(generator, anchors, jobs, leases, preview, smallerReferences, styles);
		return { generator, jobs, journal, gallery, leases };
	}

	suite('that are refused for their size', () => {
		/** The failure of a request whose reference images lie in the workspace under these names. */
		async function refused(names: readonly string[], size: '1024x1024' | '2048x2048') {
			service.faults.add({ status: 413, times: 1, message: 'Too large.' });
			const { generator, jobs, gallery } = start();
			const references = names.map((name) => ({
				source: vscode.Uri.joinPath(root(), 'smaller', name).toString(),
			}));
			await generator.make([imageRequest('refused', { size, references })]);
			const [failed] = jobs.failed;
			assert.ok(failed);
			return { generator, jobs, gallery, entry: failed.entry };
		}

		setup(async () => {
			await mkdir(inRoot('smaller'));
			const large = await drawPicture({
				prompt: 'p',
				size: '2048x1152',
				references: [],
				small: true,
			});
			await writeFile(inRoot('smaller', 'large.png'), padPng(large, 6_000_000));
			await writeFile(inRoot('smaller', 'note.png'), await drawPng('a note'));
		});

		teardown(() => remove('smaller'));

		const sent = () => service.requests.at(-1)?.references[0];

		rare(
			'are sent with copies that are as large as the size can use; the images stay',
			async () => {
				const before = await readFile(inRoot('smaller', 'large.png'));
				const { generator, jobs, gallery, entry } = await refused(['large.png'], '1024x1024');
				assert.match(uploadSize(entry.request), /^1 reference image of [5-9]\.\d MB was sent\.$/);
				await generator.act('sendSmaller', [entry]);
				assert.deepEqual(jobs.failed, []);
				const { contentType, size = 0 } = sent() ?? {};
				assert.equal(contentType, 'image/webp');
				assert.ok(size < before.length / 5, `${String(size)} bytes`);
				assert.ok(before.equals(await readFile(inRoot('smaller', 'large.png'))));
				// What the image was made from is still the image itself.
				const [made] = await gallery.list();
				assert.match(made?.references[0] ?? '', /smaller\/large\.png$/);
			},
		);

		rare('and again are not sent once more: nothing can be made smaller then', async () => {
			const { generator, jobs, entry } = await refused(['large.png', 'note.png'], '2048x2048');
			service.faults.add({ status: 413, times: 1, message: 'Still too large.' });
			await generator.act('sendSmaller', [entry]);
			const [again] = jobs.failed;
			assert.ok(again);
			assert.notEqual(again.entry.request.id, entry.request.id);
			const before = service.requests.length;
			await generator.act('sendSmaller', [again.entry]);
			assert.equal(service.requests.length, before);
			assert.equal(jobs.failed.length, 1, 'the failure can still be dealt with otherwise');
		});

		test('name an image of print, of which no smaller copy can be made', async () => {
			await writeFile(inRoot('smaller', 'print.jpg'), fourColorJpeg(0));
			const { generator, entry } = await refused(['print.jpg'], '1024x1024');
			const messages = new ShownMessages(['showInformationMessage']);
			await generator.act('sendSmaller', [entry]);
			assert.match(messages.reported.join(), /"print\.jpg" is a CMYK image, .* Convert it to RGB/);
		});

		rare('stay small where they are tried again after another failure', async () => {
			const { generator, jobs, entry } = await refused(['large.png'], '1024x1024');
			service.faults.add({ status: 400, times: 1, message: 'Not this one.' });
			await generator.act('sendSmaller', [entry]);
			const [other] = jobs.failed;
			const [copy] = other?.entry.request.references ?? [];
			assert.deepEqual([copy?.width, copy?.height], [1024, 576]);
			assert.ok(other);
			await generator.act('again', [other.entry]);
			assert.equal(sent()?.contentType, 'image/webp');
		});
	});

	suite('that have a style', () => {
		setup(async () => {
			await mkdir(inRoot('style'));
			await writeFile(inRoot('style', 'hero.png'), await drawPng('hero'));
			await writeFile(inRoot('style', 'other.png'), await drawPng('another one'));
		});

		teardown(() => remove('style'));

		async function styled(fields: Partial<ImageRequest> = {}): Promise<ImageRequest> {
			const uri = vscode.Uri.joinPath(root(), 'style/hero.png');
			return imageRequest('styled', {
				effectivePrompt: 'styled\n\nStyle:\nFlat.',
				style: {
					path: '.easel/style.md',
					sha256: 'ab'.repeat(32),
					references: [await sha256Of(uri.fsPath)],
				},
				references: [{ source: uri.toString() }],
				...fields,
			});
		}

		const sent = () => {
			const { fields = [], references = [] } = service.requests.at(-1) ?? {};
			const prompt = String(fields.find(({ name }) => name === 'prompt')?.value);
			return [prompt.replaceAll('\r\n', '\n'), ...references.map(({ sha256 }) => sha256)];
		};

		rare('are sent again with the style as it was, also with smaller copies', async () => {
			const styledRequest = await styled();
			for (const smallerReferences of [undefined, true] as const) {
				const { generator, jobs, gallery } = start();
				service.faults.add({ status: 400, times: 1, message: 'Not this one.' });
				await generator.make([{ ...styledRequest, smallerReferences }]);
				const [failed] = jobs.failed;
				assert.ok(failed);
				const before = service.requests.length;
				await generator.act('again', [failed.entry]);
				assert.equal(service.requests.length, before + 1);
				assert.equal(sent()[0], styledRequest.effectivePrompt);
				// It is none of the person's own images, and nothing that it was made from.
				const [made] = await gallery.list();
				assert.deepEqual(made?.references, []);
				assert.equal(made.prompt, 'styled');
				assert.deepEqual(made.style, styledRequest.style);
			}
		});

		rare('are not sent again once an image of the style has changed', async () => {
			const { generator, jobs } = start();
			service.faults.add({ status: 400, times: 1, message: 'Not this one.' });
			await generator.make([await styled()]);
			const [failed] = jobs.failed;
			assert.ok(failed);
			await writeFile(inRoot('style', 'hero.png'), await readFile(inRoot('style', 'other.png')));
			const before = service.requests.length;
			const reported = await messagesOf(() => generator.act('again', [failed.entry]));
			assert.equal(service.requests.length, before);
			assert.match(
				reported.join(),
				/hero\.png, a reference image of the style, has changed\. Nothing was sent\./,
			);
		});

		rare('are not sent with another image than that which was agreed to', async () => {
			const request = await styled();
			await writeFile(inRoot('style', 'hero.png'), await readFile(inRoot('style', 'other.png')));
			const before = service.requests.length;
			await start().generator.make([request]);
			assert.equal(service.requests.length, before);
		});

		rare('can be made with smaller copies of all that is sent', async () => {
			const { generator } = start();
			await generator.make([await styled({ smallerReferences: true })]);
			assert.equal(service.requests.at(-1)?.references.length, 1);
		});
	});

	suite('that are asked for together', () => {
		const several = (prompt: string, count: number) =>
			Array.from({ length: count }, () => imageRequest(prompt));

		/** `2b` of each image of the gallery, in order. */
		const labels = async (gallery: Gallery, jobs = new JobList()) =>
			roundsOf(await gallery.list(), jobs.requests)
				.flatMap(({ slots }) => slots)
				.map(({ label, image }) => (image === undefined ? `${label}?` : label))
				.sort();

		rare('are a round, in which what is sent again keeps its place', async () => {
			const { generator, jobs, gallery } = start();
			service.faults.add({ status: 400, times: 1, message: 'Not this one.' });
			await generator.make(several('foxes', 3));
			const [failed] = jobs.failed;
			assert.ok(failed);
			const { round } = failed.entry.request;
			assert.ok(round);
			const all = ['1a', '1b', '1c'];
			const hole = all[round.place] ?? '';
			assert.deepEqual(
				await labels(gallery, jobs),
				all.map((label) => (label === hole ? `${hole}?` : label)),
			);
			await generator.act('again', [failed.entry]);
			jobs.forget(failed.entry.request.id);
			assert.deepEqual(await labels(gallery, jobs), all);
			assert.equal(new Set((await gallery.list()).map((image) => image.round?.id)).size, 1);
		});

		rare(
			'are another round each time, also in another window and while others are made',
			async () => {
				const { generator, gallery } = start();
				await Promise.all([
					generator.make(several('one', 2)),
					generator.make(several('two', 2)),
					generator.make([imageRequest('three')]),
				]);
				const together = await labels(gallery);
				// Their order is not promised.
				const places = together.map((label) => label.slice(1)).sort();
				assert.deepEqual(places, ['a', 'a', 'a', 'b', 'b']);
				assert.deepEqual(
					new Set(together.map((label) => Number.parseInt(label, 10))),
					new Set([1, 2, 3]),
				);
				await start().generator.make([imageRequest('of another window')]);
				await generator.make([imageRequest('of this one again')]);
				assert.deepEqual(await labels(gallery), [...together, '4a', '5a']);
			},
		);

		rare('are made also where the images before cannot be counted', async () => {
			await mkdir(path.join(storage, galleryFile));
			const { generator } = start();
			const [made] = (await generator.make([imageRequest('a fox')])) ?? [];
			assert.equal((await inspectImage(made?.fsPath ?? '')).format, 'png');
		});

		rare('know what they were made from by its bytes', async () => {
			const { generator, gallery } = start();
			const [fox] = (await generator.make([imageRequest('a fox')])) ?? [];
			assert.ok(fox);
			const references = [{ source: fox.toString() }];
			await generator.make([imageRequest('a fox at night', { operation: 'edit', references })]);
			const moved = vscode.Uri.joinPath(fox, '..', 'elsewhere.png');
			await vscode.workspace.fs.rename(fox, moved);
			const [original] = (await gallery.list()).slice(-1);
			assert.ok(original);
			await gallery.restore({ ...original, target: moved.toString() });
			const rounds = roundsOf(await gallery.list(), []);
			const chain = new Lineage(rounds).chainOf(rounds[0]!.slots[0]!);
			assert.deepEqual(
				chain.map(({ label }) => label),
				['1a'],
			);
		});
	});

	suite('that cannot be started', () => {
		test('because this editor does not run as Node say what to do, and nothing was sent', async () => {
			const { execPath } = process;
			const { PATH } = process.env;
			process.execPath = path.join(storage, 'an-editor');
			// It opens a window, or explains itself, as editors do that are called in an odd way.
			await writeFile(process.execPath, '#!/bin/sh\necho Usage: an-editor\n', { mode: 0o755 });
			process.env['PATH'] = '';
			atEnd(() => (process.env['PATH'] = PATH));
			atEnd(() => (process.execPath = execPath));
			const { generator, jobs } = start();
			const before = service.requests.length;
			assert.deepEqual(await generator.make([imageRequest('no process')]), []);
			const [failed] = jobs.failed;
			assert.ok(failed?.state.state === 'failed');
			const { failure } = failed.state;
			assert.match(
				failureText(failure),
				/does not allow Easel to start a process .*Install Node\.js [\d.]+ or later on the PATH, restart VS Code, and try again\. Nothing was sent\./,
			);
			assert.deepEqual(stepsAfter(failure), ['again']);
			assert.equal(service.requests.length, before);
		});
	});

	test('that could not be saved anywhere are not requested, and the reason is reported', async () => {
		const { generator } = start();
		const before = service.requests.length;
		const request = imageRequest('a fox');
		const target = { ...request.target, folder: vscode.Uri.file(storage).toString() };
		const shown = await messagesOf(async () => {
			assert.deepEqual(await generator.make([{ ...request, target }]), []);
		});
		assert.deepEqual(shown, [
			`${storage} is outside the workspace folder. Choose a location inside it. Nothing was sent.`,
		]);
		assert.equal(service.requests.length, before);
	});

	/** Until the service holds one more request than before. */
	async function held(): Promise<void> {
		const before = service.requests.length;
		await service.waitUntil(() => service.requests.slice(before).some(({ held }) => held));
	}

	rare(
		'that are several and could not be requested are reported once, and no empty message beside',
		async () => {
			const { generator } = start();
			const request = imageRequest('a fox');
			const target = { ...request.target, folder: vscode.Uri.file(storage).toString() };
			const requests = [0, 1].map(() => ({ ...request, target }));
			const shown = await messagesOf(async () => {
				assert.deepEqual(await generator.makeSeries(requests), []);
			});
			const why = `${storage} is outside the workspace folder. Choose a location inside it. Nothing was sent.`;
			assert.deepEqual(shown, [why]);
		},
	);

	rare('that are cancelled after a reload are reported once', async () => {
		const before = start();
		service.faults.add({ hold: true, times: 1 });
		const isHeld = held();
		const making = before.generator.make([imageRequest('a fox')]);
		await isHeld;
		const [job] = (await before.journal.list()).entries;
		assert.ok(job);
		// The window ends, and the worker lives on.
		before.generator.dispose();
		await before.leases.dispose();

		const { generator, jobs, leases } = start();
		await leases.acquire(job.folder, windowLease);
		const shown = await messagesOf(async (reported) => {
			const resumed = generator.resume(await readEntry(job.folder));
			await until(() => jobs.running.length > 0, 'the job to be taken up');
			jobs.running[0]!.cancel();
			assert.equal((await resumed).type, 'cancelled');
			await until(() => reported.length > 0, 'the message');
		});
		assert.deepEqual(shown, ['Cancelled. You may still be charged.']);
		service.releaseHeld();
		await making;
	});

	rare('whose window has ended meanwhile are not noted as reported', async () => {
		const { generator, journal } = start();
		service.faults.add({ status: 400, prompt: 'a dog' });
		service.faults.add({ hold: true, prompt: 'a fox' });
		const isHeld = held();
		const making = generator.makeSeries([imageRequest('a fox'), imageRequest('a dog')]);
		await isHeld;
		const failed = async () =>
			(await journal.list()).entries.some(({ state }) => state.state === 'failed');
		await until(failed, 'the other one to fail');
		const shown = await messagesOf(async () => {
			generator.dispose();
			service.releaseHeld();
			await making;
		});
		assert.deepEqual(shown, []);
		const reported = (await journal.list()).entries.map(
			({ state }) => 'notified' in state && state.notified,
		);
		assert.deepEqual(reported, [false, false]);
	});

	for (const isSeries of [false, true]) {
		const what = isSeries ? 'a series' : 'a round';
		rare(
			`are reported in one message by the next window, whatever has become of each of ${what}`,
			async () => {
				const before = start();
				service.faults.add({ status: 400, prompt: 'a dog' });
				service.faults.add({ hold: true, prompt: 'a fox' });
				const isHeld = held();
				const requests = ['a fox', 'a dog', 'a cat'].map((prompt) => imageRequest(prompt));
				const making = isSeries
					? before.generator.makeSeries(requests)
					: before.generator.make(requests);
				await isHeld;
				const ended = async () =>
					(await before.journal.list()).entries.filter(({ state }) =>
						['failed', 'saved'].includes(state.state),
					).length;
				await until(async () => (await ended()) === 2, 'the others to end');
				before.generator.dispose();
				await before.leases.dispose();

				const { generator, jobs, journal, leases } = start();
				const { entries } = await journal.list();
				assert.equal(new Set(entries.map(({ request }) => request.round?.id)).size, 1);
				const shown = await messagesOf(async (reported) => {
					const takenUp = entries.map(async ({ folder }) => {
						await leases.acquire(folder, windowLease);
						const entry = await readEntry(folder);
						await (isOver(entry.state)
							? generator.reportAgain(entry, entry.state)
							: generator.resume(entry));
					});
					await until(() => jobs.running.length > 0, 'the job to be taken up');
					service.releaseHeld();
					await Promise.all(takenUp);
					await until(() => reported.length > 0, 'the message');
				});
				assert.equal(shown.length, 1, shown.join('\n'));
				assert.match(shown[0]!, /^2 of 3 images saved, 1 failed\./);
				await making;
			},
		);
	}

	suite('that could not be saved', () => {
		const at = (name: string) => vscode.Uri.joinPath(root(), 'images', name);

		rare(
			'are saved once more by a window that ends only when that is done, and by none that has ended',
			async () => {
				const { generator, jobs, gallery, leases, journal } = start();
				const images = inRoot('images');
				service.faults.add({ hold: true, times: 1 });
				const making = generator.make([imageRequest('a fox')]);
				await held();
				// No folder, so nothing can be put into it.
				await writeFile(images, '');
				service.releaseHeld();
				assert.deepEqual(await making, []);
				const [image] = jobs.unsaved;
				assert.ok(image);
				await rm(images);

				const saving = Promise.withResolvers<void>();
				const going = Promise.withResolvers<void>();
				const add = gallery.add.bind(gallery);
				gallery.add = async (...given) => {
					saving.resolve();
					await going.promise;
					return add(...given);
				};
				const again = generator.actOnUnsaved('saveAgain', image);
				await saving.promise;
				const owner = async () => (await readLease(image.entry.folder, windowLease))?.owner;
				const self = await owner();
				assert.ok(self !== undefined);
				const disposed = leases.dispose();
				// What it would have given back at once, another window would have taken by then.
				await journal.list();
				assert.deepEqual(await owner(), self);
				going.resolve();
				await Promise.all([again, disposed]);
				assert.equal(await owner(), undefined);
				assert.deepEqual(await readdir(images), ['a fox.png']);

				const shown = await messagesOf(() => generator.actOnUnsaved('saveAgain', image));
				assert.deepEqual(shown, [
					'Another window is saving this image. Go there, or close that window and try again.',
				]);
				assert.deepEqual(await readdir(images), ['a fox.png']);
			},
		);

		/** An image of a folder that refuses it, in a window that lists it. */
		async function unsavedImage(window: ReturnType<typeof start>) {
			const images = inRoot('images');
			service.faults.add({ hold: true, times: 1 });
			const making = window.generator.make([imageRequest('a fox')]);
			await held();
			await writeFile(images, '');
			service.releaseHeld();
			assert.deepEqual(await making, []);
			await rm(images);
			const [image] = window.jobs.unsaved;
			assert.ok(image);
			return image;
		}

		/** Has the dialog answered with this place. */
		async function chosen(target: vscode.Uri, task: () => Promise<unknown>): Promise<void> {
			const { showSaveDialog } = vscode.window;
			Object.assign(vscode.window, { showSaveDialog: () => Promise.resolve(target) });
			try {
				await task();
			} finally {
				Object.assign(vscode.window, { showSaveDialog });
			}
		}

		const isKept = async (folder: string) =>
			(await readdir(folder).catch(() => [])).some((name) => name.startsWith('image'));

		rare(
			'are saved in the place of another file, and stay stored where that is refused',
			async () => {
				const window = start();
				const image = await unsavedImage(window);
				const { folder } = image.entry;
				await mkdir(inRoot('images', 'a folder.png', 'of another program'), { recursive: true });
				const saveAs = () =>
					window.generator.actOnUnsaved('saveAs', window.jobs.unsaved[0] ?? image);
				await chosen(at('a folder.png'), saveAs);
				assert.deepEqual(await readdir(inRoot('images', 'a folder.png')), ['of another program']);
				assert.equal((await readState(folder)).state, 'received');
				assert.ok(await isKept(folder));
				assert.match(window.jobs.unsaved[0]?.problem ?? '', /cannot be saved as/);

				await writeFile(inRoot('images', 'chosen.png'), 'an older file');
				await chosen(at('chosen.png'), saveAs);
				const [saved] = await window.gallery.list();
				assert.equal(saved?.target, at('chosen.png').toString());
				assert.equal((await inspectImage(inRoot('images', 'chosen.png'))).format, 'png');
				assert.deepEqual((await readdir(inRoot('images'))).sort(), ['a folder.png', 'chosen.png']);
				assert.ok(!(await isKept(folder)));
				assert.deepEqual(window.jobs.unsaved, []);
			},
		);

		rare('are gone from every window once one of them has saved them', async () => {
			const [one, other] = [start(), start()];
			const image = await unsavedImage(one);
			other.jobs.addUnsaved(image.entry, image.state);
			await one.generator.actOnUnsaved('saveAgain', image);
			await until(async () => (await readdir(one.journal.root)).length === 0, 'the job to go');
			const shown = await messagesOf(() => other.generator.actOnUnsaved('saveAgain', image));
			assert.deepEqual(shown, ['This image was already saved or discarded.']);
			assert.deepEqual(other.jobs.unsaved, []);
			assert.deepEqual(await readdir(inRoot('images')), ['a fox.png']);
		});

		rare(
			'stay stored beside what is saved in a virtual file system, which flushes nothing',
			async () => {
				const window = start();
				const image = await unsavedImage(window);
				const files = new MemoryFiles();
				const scheme = 'easel-flushless';
				const registration = vscode.workspace.registerFileSystemProvider(scheme, files);
				atEnd(() => registration.dispose());
				const target = vscode.Uri.from({ scheme, path: '/chosen.png' });
				files.writeFile(target, Buffer.from('an older file'));
				await chosen(target, () => window.generator.actOnUnsaved('saveAs', image));
				const state = await readState(image.entry.folder);
				assert.ok(state.state === 'saved', state.state);
				assert.equal(files.readFile(target).length, state.result.bytes);
				assert.deepEqual(files.names(), ['chosen.png']);
				assert.ok(await isKept(image.entry.folder));
			},
		);

		test('after all, because the saved file is gone, are offered again by the next window', async () => {
			const before = start();
			const { entry } = await unsavedImage(before);
			await before.leases.dispose();
			const received = await readState(entry.folder);
			assert.ok(received.state === 'received');
			const { result, attempts, changedAt } = received;
			// As a power failure leaves it: the note was on its disk, the file was not.
			const target = at('gone.png').toString();
			const saved = { state: 'saved', attempts, changedAt, result, target } as const;
			await writeState(entry.folder, saved);

			const { generator, jobs, leases } = start();
			await leases.acquire(entry.folder, windowLease);
			const shown = await messagesOf(() => generator.reportAgain(entry, saved));
			assert.deepEqual(shown, [
				'The saved file is missing or not whole. The image is safe: Easel stores it until you save it.',
			]);
			assert.ok(await isKept(entry.folder));
			const [image] = jobs.unsaved;
			assert.ok(image);
			await chosen(at('chosen.png'), () => generator.actOnUnsaved('saveAs', image));
			assert.equal((await inspectImage(inRoot('images', 'chosen.png'))).format, 'png');
		});
	});

	suite('that are saved', () => {
		rare('stay saved whatever fails afterwards', async () => {
			const anchors = new Anchors();
			anchors.insert = () => Promise.reject(new Error('The document went up in smoke.'));
			const { generator, jobs, journal, gallery } = start({ anchors });
			const insertion = {
				...{ id: crypto.randomUUID(), places: [{ start: 0, end: 0 }], block: false, sha256: '' },
			};
			const [saved] = (await generator.make([imageRequest('a fox', { insertion })])) ?? [];
			assert.equal(saved?.fsPath, inRoot('images', 'a fox.png'));
			assert.equal((await inspectImage(saved.fsPath)).format, 'png');
			assert.deepEqual([jobs.unsaved, jobs.failed, jobs.running], [[], [], []]);
			await until(async () => (await readdir(journal.root)).length === 0, 'the job to go');
			assert.deepEqual(
				(await gallery.list()).map(({ target }) => target),
				[saved.toString()],
			);
		});
	});
});

function inRepository(file: string): string {
	const extension = vscode.extensions.getExtension('easel.easel');
	assert.ok(extension);
	return path.join(extension.extensionPath, file);
}

/** The messages of a span of time, in which no button is pressed. */
async function messagesOf(
	task: (reported: readonly ShownMessage[]) => Promise<unknown>,
): Promise<string[]> {
	const messages = new ShownMessages([
		'showErrorMessage',
		'showInformationMessage',
		'showWarningMessage',
	]);
	try {
		await task(messages.all);
		return messages.texts;
	} finally {
		messages.dispose();
	}
}

/** A machine on which the notice that comes once was read. */
const notTheFirstTime: vscode.Memento = {
	keys: () => [],
	get: <T>(key: string, otherwise?: T) => (key.startsWith('notified.') ? (true as T) : otherwise),
	update: () => Promise.resolve(),
};

const nothingKept: vscode.Memento = {
	keys: () => [],
	get: () => undefined,
	update: () => Promise.resolve(),
};
