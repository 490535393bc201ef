import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { notifyOutside } from '../../src/generation/resultNotifier.js';
import type { BatchEnds } from '../../src/generation/outcome.js';
import { logTo } from '../../src/log.js';
import { until } from '../host/until.js';
import { atEnd } from './atEnd.js';
import { closeService, openService } from './service.js';
import { remove, setSetting } from './workspace.js';
import { rare } from '../host/rare.js';

const arrived = {
	saved: {
		uri: vscode.Uri.file('/secret/place/secret.png'),
		prompt: 'a secret',
		image: { format: 'png', width: 1024, height: 1024 },
		origin: undefined,
	},
	followUp: { buttons: [] },
} as unknown as BatchEnds['arrived'][number];

const away = { isInFront: false, isOfThisDesktop: true };

suite('Notices outside of the window', () => {
	let shown: string[];
	let logged: string[];

	setup(async () => {
		shown = [];
		logged = [];
		await setSetting('easel.output.afterSaving', 'notifySystem');
	});

	teardown(() => setSetting('easel.output.afterSaving', undefined));

	async function notifyIn(window: typeof away, some = ends, problem?: Error): Promise<void> {
		logTo({ error: (text) => logged.push(text) });
		await notifyOutside(some, window, (text) => {
			shown.push(text);
			return problem === undefined ? Promise.resolve() : Promise.reject(problem);
		});
	}

	const ends: BatchEnds = {
		asked: 3,
		arrived: [arrived, arrived],
		cancelled: ['notSent'],
		failures: [],
	};

	rare('is one text for all that were asked for together, in numbers alone', async () => {
		await notifyIn(away);
		assert.deepEqual(shown, ['2 of 3 images saved, 1 cancelled.']);
	});

	rare(
		'are none in front, on another desktop, unasked for, or of cancelled requests alone',
		async () => {
			await notifyIn({ ...away, isInFront: true });
			await notifyIn({ ...away, isOfThisDesktop: false });
			await notifyIn(away, { ...ends, arrived: [] });
			await setSetting('easel.output.afterSaving', undefined);
			await notifyIn(away);
			assert.deepEqual(shown, []);
		},
	);

	rare('are logged once where the system cannot show them', async () => {
		const problem = new Error('spawn notify-send ENOENT');
		await notifyIn(away, ends, problem);
		await notifyIn(away, ends, problem);
		assert.equal(shown.length, 2);
		assert.deepEqual(logged, ['The system could not show a notification']);
	});

	const program = { linux: 'notify-send', darwin: 'osascript' }[process.platform as string];
	if (program !== undefined) {
		rare('is said by the system itself, once for images that were asked for together', async () => {
			const folder = await mkdtemp(path.join(tmpdir(), 'easel-outside-'));
			const record = path.join(folder, 'runs');
			await writeFile(
				path.join(folder, program),
				`#!/bin/sh\nfor last; do :; done\nprintf '%s\\n' "$last" >> '${record}'\n`,
				{ mode: 0o700 },
			);
			const before = process.env['PATH'];
			process.env['PATH'] = `${folder}:${before ?? ''}`;
			const restore = pretendOtherWindow();
			const service = await openService();
			atEnd(() => rm(folder, { recursive: true, maxRetries: 10 }));
			atEnd(() => remove('outside'));
			atEnd(() => closeService(service));
			atEnd(() => restore());
			atEnd(() => (process.env['PATH'] = before));
			await vscode.commands.executeCommand('easel.generateImage', {
				prompt: 'a secret boat',
				output: 'outside/',
				count: 2,
			});
			const runs = () => readFile(record, 'utf8').catch(() => '');
			await until(async () => (await runs()) !== '', 'the system to be asked');
			await vscode.commands.executeCommand('easel.generateImage', {
				prompt: 'a secret ship',
				output: 'outside/',
			});
			await until(async () => (await runs()).split('\n').length > 2, 'it to be asked again');
			assert.equal(await runs(), '2 images saved.\n1 image saved.\n');
		});
	}
});

/** Has the editor say that its window is not in front, and of this machine's desktop. */
function pretendOtherWindow(): () => void {
	const properties = [
		[vscode.window, 'state', { focused: false, active: false }],
		[vscode.env, 'uiKind', vscode.UIKind.Desktop],
		[vscode.env, 'remoteName', undefined],
	] as const;
	const before = properties.map(([of, name]) => Object.getOwnPropertyDescriptor(of, name)!);
	for (const [of, name, value] of properties) {
		Object.defineProperty(of, name, { value, configurable: true });
	}
	return () => {
		for (const [index, [of, name]] of properties.entries()) {
			Object.defineProperty(of, name, before[index]!);
		}
	};
}
