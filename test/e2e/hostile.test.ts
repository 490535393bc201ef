import assert from 'node:assert/strict';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import http from 'node:http';
import net, { type AddressInfo, type Server } from 'node:net';
import path from 'node:path';
import { file, service, useHarbor, workbench } from './harbor.js';
import { assertNoSecrets } from './secrets.js';

const key = 'e2e-hostile-key-71fb';

/** A text that runs a command where it becomes a link and the user presses it. */
const link = '[Repair it here](command:workbench.action.openSettings?%2522pwned%2522)';

/** Processor time of the extension host, with all that VS Code's own extensions do with such a document. */
const maxSeconds = 5;

/** A name for which the pattern of the setting needs practically forever. */
const transformed = `${'a'.repeat(60)}!.md`;

const documents: Readonly<Record<string, string>> = {
	'linked.md': '# Linked\n\n',
	[transformed]: '# Transformed\n\n',
	'hostile.html': [
		`<p><img alt="a" src="data:image/png;base64,${'A'.repeat(128 * 1024)}"></p>`,
		'<'.repeat(64 * 1024),
		'<a'.repeat(32 * 1024),
		`<img alt="${link}" src="missing.png">`,
	].join('\n'),
	'hostile.md': [
		`![${link}](missing.png)`,
		'',
		`![$(error) \u202ecommand:quit](missing-2.png)`,
		'',
		`a${' '.repeat(64 * 1024)}a`,
		'['.repeat(32 * 1024),
		'![a]('.repeat(16 * 1024),
		`![a](data:image/png;base64,${'A'.repeat(128 * 1024)})`,
		'`'.repeat(1000) + '*a_'.repeat(16 * 1024),
	].join('\n'),
	'hostile.tex': `\\graphicspath${'{{'.repeat(32 * 1024)}\n${'%'.repeat(64 * 1024)}\n\\includegraphics{${'x'.repeat(64 * 1024)}\n`,
	'bomb.adoc': [
		...[':a0: 0123456789'],
		...Array.from({ length: 8 }, (_, at) => `:a${at + 1}: ${`{a${at}}`.repeat(10)}`),
		':imagesdir: {a8}',
		'',
		'image::{a8}.png[]',
		'',
	].join('\n'),
};

/**
 * A repository with every trap that its author can set for Easel, all at once. The window is trusted:
 * what counts only there is part of it.
 */
suite('A hostile repository', () => {
	let thief: Listener;
	let thiefProxy: Listener;

	useHarbor({
		...{ key, latencyMs: 500 },
		settings: {
			// The search of VS Code itself would read that endless file to no end.
			'search.useIgnoreFiles': false,
		},
		prepare: async () => {
			thief = await listen(http.createServer((_, response) => response.end('{}')));
			thiefProxy = await listen(net.createServer((socket) => socket.destroy()));
			for (const [name, text] of Object.entries(documents)) {
				await write(name, text);
			}
			await write('pictures/[x](command:workbench.action.quit).png', 'no image');
			await write(link, 'a file in the place of a folder');
			await write(
				'.vscode/settings.json',
				JSON.stringify({
					'easel.service.address': thief.address,
					'easel.service': { address: thief.address, type: 'azure' },
					'easel.service.type': 'local',
					'easel.service.model': 'stolen',
					'easel.service.confirmCalls': 'never',
					'http.proxy': thiefProxy.address,
					'http.proxySupport': 'override',
					'markdown.copyFiles.destination': {
						[`${'*a'.repeat(40)}b`]: 'never/',
						'**/linked.md': `${link}/pictures/`,
						'**/aaa*': '${documentBaseName/^(\\w+)+\\s$/x/}/',
					},
					'easel.documents.publicFolder': `../${link}`,
				}),
			);
			if (process.platform !== 'win32') {
				await symlink('/dev/zero', file('.gitignore'));
			}
		},
	});

	suiteSetup(async () => {
		// What is loaded once is not what a document costs.
		await workbench.openFile('README.md');
		await answered();
	});

	suiteTeardown(async () => {
		await Promise.all([thief?.close(), thiefProxy?.close()]);
	});

	setup(async () => {
		await workbench.dismissEverything();
		await workbench.runCommand('View: Close All Editors');
	});

	teardown(async () => {
		assert.deepEqual([...thief.heard, ...thiefProxy.heard], [], 'the thief hears nothing');
		assert.equal(await commandLinks(), 0, 'no link of a command is on the screen');
	});

	async function write(name: string, text: string): Promise<void> {
		await mkdir(path.dirname(file(name)), { recursive: true });
		await writeFile(file(name), text);
	}

	/** Links that the repository has brought along; VS Code has some of its own. */
	function commandLinks(): Promise<number> {
		return workbench.page.evaluate(
			() =>
				[...document.querySelectorAll('a')].filter((element) =>
					/^command:.*(pwned|quit)/.test(
						element.dataset['href'] ?? element.getAttribute('href') ?? '',
					),
				).length,
		);
	}

	/** The processor time that the extension host has taken so far, in seconds. */
	async function processorTime(): Promise<number> {
		const pid = await workbench.editor.extensionHostPid();
		const stat = await readFile(`/proc/${String(pid)}/stat`, 'utf8');
		// From the third field on: the name before may hold anything. Both are in hundredths.
		const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
		return (Number(fields[11]) + Number(fields[12])) / 100;
	}

	/** A command is answered by the extension host: whatever held it up is over then. */
	async function answered(): Promise<void> {
		await workbench.runCommand('Easel: Insert Generated Image…');
		await workbench.waitForNotification('Easel has not made an image in this workspace yet.');
	}

	for (const name of Object.keys(documents)) {
		test(`is quick to walk through, type in and hover: ${name}`, async () => {
			const measured = process.platform === 'linux';
			const before = measured ? await processorTime() : 0;
			await workbench.openFile(name);
			await workbench.editorText().click();
			for (const press of ['ArrowDown', 'ArrowDown', 'End', 'ArrowUp', 'Home', 'ArrowRight']) {
				await workbench.page.keyboard.press(press);
			}
			await workbench.page.keyboard.type('x');
			await workbench.runCommand('Show or Focus Hover');
			await workbench.page.keyboard.press('Escape');
			await answered();
			const seconds = measured ? (await processorTime()) - before : 0;
			process.stdout.write(`      ${name}: ${seconds.toFixed(2)} s of the extension host\n`);
			assert.ok(seconds < maxSeconds, `${seconds.toFixed(2)} s`);
			await workbench.runCommand('File: Revert File');
		});
	}

	test('has a transformation given up that does not come to an end, naming the setting', async () => {
		await workbench.openFile(transformed);
		await workbench.editorText().click();
		await workbench.generate('a pier');
		await workbench.waitForNotification(
			'The setting markdown.copyFiles.destination has an invalid value: one of its patterns takes too long. Change or remove it.',
		);
		assert.equal(service.requests.length, 0);
		await workbench.screenshot('hostile-transformation');
	});

	test('gets its image, and a service that repeats the key does not get it onto the screen', async () => {
		service.faults.add({ status: 400, times: 1, message: `Not with ${key}. ${link}` });
		await workbench.generate('a fox');
		const reported = await workbench.waitForNotification('Repair it here');
		assert.ok(!reported.includes(key), reported);
		assert.ok(!(await workbench.page.content()).includes(key));
		assert.equal(await workbench.notificationLinks(), 0);
		await workbench.screenshot('hostile-service');
		await workbench.dismissEverything();
		await workbench.generate('a fox at dusk');
		await workbench.waitForImage('images/fox-at-dusk.png');
		assert.match(JSON.stringify(service.requests.at(-1)?.fields), /std-image-2/);
	});

	test('has the key nowhere', async () => {
		await assertNoSecrets(
			[workbench.editor.logsDir, workbench.editor.dataDir, workbench.folder],
			[key],
		);
	});
});

interface Listener {
	readonly address: string;
	/** One entry for each connection. */
	readonly heard: string[];
	close(): Promise<void>;
}

/** A server that notes down everybody who connects. */
async function listen(server: Server): Promise<Listener> {
	const heard: string[] = [];
	server.on('connection', (socket: net.Socket) => {
		socket.once('data', (bytes: Buffer) => heard.push(bytes.toString('latin1')));
		heard.push('a connection');
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	return {
		address: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
		heard,
		close: () => new Promise((resolve) => server.close(() => resolve())),
	};
}
