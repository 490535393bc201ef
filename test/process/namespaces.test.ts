import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { ownerStatus, type LeaseOwner } from '../../src/jobs/processIdentity.js';
import { bundle } from './support.js';

suite('jobs › process identity, in namespaces of its own, as in a container', () => {
	let folder: string;
	const children: ChildProcess[] = [];

	setup(async () => {
		folder = await mkdtemp('/tmp/easel-ns-');
		await mkdir(path.join(folder, 'own'));
	});

	teardown(async () => {
		for (const child of children.splice(0)) {
			child.kill('SIGKILL');
		}
		await rm(folder, { recursive: true, maxRetries: 10 });
	});

	/**
	 * Starts an owner whose temporary folder is `own`.
	 *
	 * @param namespaces options of `unshare`
	 * @param isApart true where it sees a folder of its own there
	 */
	async function ownerIn(namespaces: readonly string[], isApart: boolean) {
		const script = await bundle(`import { becomePresent } from './src/jobs/processIdentity.ts';
			becomePresent(() => undefined, { endsBy: new Date(Date.now() + 60000).toISOString(), job: undefined })
				.then(({ owner }) => process.stdout.write(JSON.stringify(owner)));`);
		const own = path.join(folder, 'own');
		const mount = isApart ? 'mount -t tmpfs none "$TMPDIR" && ' : '';
		const command = ['sh', '-c', `${mount}exec "$0" "$@"`, process.execPath, script];
		const child = spawn('unshare', [...namespaces, '--kill-child', ...command], {
			stdio: ['ignore', 'pipe', 'inherit'],
			env: { ...process.env, TMPDIR: own },
		});
		children.push(child);
		const [text] = (await once(child.stdout, 'data')) as [Buffer];
		const owner = JSON.parse(text.toString()) as LeaseOwner;
		const end = async () => {
			// Its output ends with the last process of it.
			const closed = once(child, 'close');
			child.kill('SIGKILL');
			await closed;
		};
		return { owner, end };
	}

	const processes = ['--pid', '--fork', '--mount-proc'];

	test('is unknown where neither its process nor its socket can be seen', async () => {
		const { owner, end } = await ownerIn(processes, true);
		assert.equal(await ownerStatus(owner), 'unknown');
		await end();
		assert.equal(await ownerStatus(owner), 'unknown');
		const later = Date.parse(owner.endsBy) + 2 * 60 * 60 * 1000;
		assert.equal(await ownerStatus(owner, undefined, later), 'gone');
	});

	test('is left its note by an MCP server that cannot see its socket', async () => {
		const notes = path.join(folder, 'notes');
		const own = path.join(folder, 'own');
		const env = { ...process.env, TMPDIR: own };
		const window = await bundle(`import { AgentSocket } from './src/editor/agentSocket.ts';
			const [notes, ...folders] = process.argv.slice(2);
			const call = () => new Promise(() => undefined);
			setInterval(() => undefined, 60_000);
			new AgentSocket({ notes, folders: () => folders, call }).open()
				.then(() => process.stdout.write('open'));`);
		const child = spawn(process.execPath, [window, notes, folder], {
			stdio: ['ignore', 'pipe', 'inherit'],
			env,
		});
		children.push(child);
		await once(child.stdout, 'data');
		const server = await bundle(`import { Windows } from './src/mcp/windows.ts';
			const [notes, folder] = process.argv.slice(2);
			new Windows({ folder: notes, maxWaitMs: 100, maxStartMs: 0 })
				.connect({ folder, isExact: false }, AbortSignal.timeout(10_000))
				.then((found) => process.stdout.write(JSON.stringify(found)));`);
		const apart = ['sh', '-c', 'mount -t tmpfs none "$TMPDIR" && exec "$0" "$@"', process.execPath];
		const asking = spawn('unshare', ['--mount', ...apart, server, notes, folder], {
			stdio: ['ignore', 'pipe', 'inherit'],
			env,
		});
		children.push(asking);
		const found = JSON.parse(await text(asking.stdout)) as object;
		assert.deepEqual(found, { type: 'silent', folders: [folder], code: 'ENOENT' });
		assert.equal((await readdir(notes)).length, 1);
	});
});
