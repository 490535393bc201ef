import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createCanvas } from '@napi-rs/canvas';
import * as vscode from 'vscode';
import { BackupStore } from '../../src/editor/backupStore.js';
import type { Button, notify } from '../../src/editor/messages.js';
import { Replacements } from '../../src/features/edit/replace.js';
import { seeded } from '../unit/images/random.js';
import { drawPng } from './images.js';
import { rare } from '../host/rare.js';
import { inRoot, remove, root } from './workspace.js';

/** Replacements of one window, and its messages with buttons that can be pressed again. */
interface Window {
	readonly replacements: Replacements;
	readonly messages: { readonly text: string; readonly buttons: readonly Button[] }[];
}

/** Presses buttons of two windows in random order, while another program changes the same files. */
suite('Replace Original in any order', () => {
	let storage: string;
	let backups: BackupStore;
	let windows: Window[];

	setup(async () => {
		storage = await mkdtemp(path.join(tmpdir(), 'easel-random-'));
		backups = new BackupStore(storage);
		windows = [openWindow(), openWindow()];
		await mkdir(inRoot('random'));
	});

	teardown(async () => {
		await vscode.commands.executeCommand('workbench.action.closeAllEditors');
		await vscode.commands.executeCommand('notifications.clearAll');
		await remove('random');
		await rm(storage, { recursive: true });
	});

	function openWindow(): Window {
		const messages: Window['messages'] = [];
		const report = (_severity: string, text: string, buttons: readonly Button[] = []) => {
			if (buttons.some(({ label }) => label === 'Keep the Name')) {
				return Promise.resolve(buttons[messages.length % 2]?.run());
			}
			messages.push({ text, buttons });
			return Promise.resolve(undefined);
		};
		const replacements = new Replacements(backups, report as typeof notify);
		return { replacements, messages };
	}

	const file = (name: string) => inRoot('random', name);
	const uri = (name: string) => vscode.Uri.joinPath(root(), 'random', name);

	/** The images of the folder and the SHA-256 of each. */
	async function images(): Promise<Map<string, string>> {
		const names = (await readdir(file(''))).filter((name) => /\.(png|jpg)$/.test(name));
		return new Map(
			await Promise.all(
				names.map(async (name) => [name, sha256Of(await readFile(file(name)))] as const),
			),
		);
	}

	const seed = Number(process.env['EASEL_SEED'] ?? Date.now() % 1_000_000);
	const steps = Number(process.env['EASEL_STEPS'] ?? 30);

	rare(
		`loses no image, and leaves alone what is none of its own: seed ${seed}, ${steps} steps`,
		async function () {
			this.timeout(60_000 + steps * 5000);
			await new Schedule(seeded(seed)).run(steps).catch((error: unknown) => {
				throw new Error(`seed ${seed}: ${String(error)}`, { cause: error });
			});
		},
	);

	class Schedule {
		readonly #history: string[] = [];
		/** Every image that must not be lost. */
		readonly #all = new Set<string>();
		/** Images of another program, which must stay in place. */
		readonly #foreign = new Set<string>();
		#made = 0;

		constructor(private readonly random: () => number) {}

		async run(steps: number): Promise<void> {
			await this.#put('a.png');
			await this.#put('b.jpg');
			await writeFile(file('doc.md'), '![a](a.png)\n![b](b.jpg)\n');
			for (let step = 0; step < steps; step++) {
				const before = await images();
				const actions: Record<string, () => Promise<string>> = {
					replace: () => this.#replace(before),
					press: () => this.#press(),
					change: () => this.#change(before),
					delete: () => this.#delete(before),
					rename: () => this.#rename(before),
				};
				const often = ['replace', 'press', 'replace', 'press'];
				// At first, so that something happens in any case.
				const what =
					step < 2 ? 'replace' : this.#choose([...often, ...often, ...Object.keys(actions)]);
				this.#history.push(`${what} ${await actions[what]!()}`);
				await this.#check();
			}
			for (const name of await readdir(path.join(storage, 'kept'))) {
				assert.ok(await backups.has(name), 'a backup is whole');
			}
			const replaced = windows
				.flatMap(({ messages }) => messages)
				.filter(({ text }) => text.startsWith('Replaced '));
			assert.ok(replaced.length > steps / 20, 'enough has happened');
		}

		async #check(): Promise<void> {
			const now = new Set((await images()).values());
			const keptNow = new Set(await readdir(path.join(storage, 'kept')).catch(() => []));
			const story = () => `after ${this.#history.join(', ')}`;
			for (const sha256 of this.#all) {
				assert.ok(now.has(sha256) || keptNow.has(sha256), `an image is lost ${story()}`);
			}
			for (const sha256 of this.#foreign) {
				assert.ok(now.has(sha256), `an image of another program was removed ${story()}`);
			}
			const rest = (await readdir(file(''))).filter((name) => !/^[\w-]+\.(png|jpg|md)$/.test(name));
			assert.deepEqual(rest, [], `something is left ${story()}`);
		}

		/** Replaces an image by a new one, in one of the windows. */
		async #replace(before: ReadonlyMap<string, string>): Promise<string> {
			const original = this.#choose([...before.keys(), 'a.png']);
			// The same words give the same name, if it is free.
			const edited = this.#choose(['edit.png', `edit-${this.#made}.png`, 'edit.jpg']);
			if (!before.has(edited)) {
				await this.#put(edited);
			}
			if (original === edited) {
				return 'nothing';
			}
			for (const sha256 of (await images()).entries()) {
				if (sha256[0] === original || sha256[0] === edited) {
					this.#foreign.delete(sha256[1]);
				}
			}
			const window = this.#choose(windows);
			await window.replacements.replace(uri(original), uri(edited));
			return `${original} by ${edited}`;
		}

		/** Presses a button of any message, however old, also one that was pressed before. */
		async #press(): Promise<string> {
			const buttons = windows
				.flatMap(({ messages }) => messages.flatMap(({ buttons }) => buttons))
				.filter(({ label }) => ['Undo', 'Retry', 'Show Image'].includes(label));
			if (buttons.length === 0) {
				return 'nothing';
			}
			// The latest are the ones that users press.
			const button = this.#choose([...buttons.slice(-2), this.#choose(buttons)]);
			await button.run();
			return `${button.label} ${buttons.indexOf(button)}`;
		}

		/** Writes another image as another program does, into the file or in its place. */
		async #change(before: ReadonlyMap<string, string>): Promise<string> {
			const name = this.#choose([...before.keys(), 'a.png', 'b.jpg']);
			await this.#missNoMore(before.get(name));
			if (this.random() < 0.5) {
				await this.#put(name);
			} else {
				await this.#put('other.tmp');
				await rename(file('other.tmp'), file(name));
			}
			return name;
		}

		async #delete(before: ReadonlyMap<string, string>): Promise<string> {
			const name = this.#choose([...before.keys(), 'a.png']);
			await this.#missNoMore(before.get(name));
			await rm(file(name), { force: true });
			return name;
		}

		async #rename(before: ReadonlyMap<string, string>): Promise<string> {
			const [name] = this.#choose([...before]) ?? [];
			const to = this.#choose(['a.png', 'b.jpg', 'b.png', 'edit.png', 'c.png']);
			if (name === undefined || before.has(to)) {
				return 'nothing';
			}
			await rename(file(name), file(to));
			return `${name} to ${to}`;
		}

		/** Forgets an image that another program removes, unless it has a backup. */
		async #missNoMore(sha256: string | undefined): Promise<void> {
			if (sha256 !== undefined) {
				this.#foreign.delete(sha256);
				if (!(await backups.has(sha256))) {
					this.#all.delete(sha256);
				}
			}
		}

		/** A new image, as no other one is, of 1 to 8 MB. */
		async #put(name: string): Promise<void> {
			this.#made += 1;
			const prompt = `picture ${this.#made} ${this.random()}`;
			const bytes = name.endsWith('.jpg')
				? photo(prompt)
				: await drawPng(prompt, Math.round(1e6 + this.random() ** 3 * 7e6));
			await writeFile(file(name), bytes);
			this.#all.add(sha256Of(bytes));
			this.#foreign.add(sha256Of(bytes));
		}

		#choose<T>(from: readonly T[]): T {
			return from[Math.floor(this.random() * from.length)]!;
		}
	}
});

/** A real JPEG, of random pixels. */
function photo(prompt: string): Buffer {
	const canvas = createCanvas(1200, 900);
	const context = canvas.getContext('2d');
	const pixels = context.createImageData(1200, 900);
	for (let at = 0, seed = prompt.length; at < pixels.data.length; at++) {
		seed = (seed * 1103515245 + 12345) & 0x7fffffff;
		pixels.data[at] = at % 4 === 3 ? 255 : seed >> 16;
	}
	context.putImageData(pixels, 0, 0);
	context.fillText(prompt, 20, 20);
	return canvas.toBuffer('image/jpeg', 95);
}

function sha256Of(bytes: Uint8Array): string {
	return createHash('sha256').update(bytes).digest('hex');
}
