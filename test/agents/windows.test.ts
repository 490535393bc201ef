import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdir, readdir, symlink, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { CallToolResult, Client } from '@modelcontextprotocol/client';
import { until } from '../host/until';
import { Bench, Images } from './support';

suite('The window of an MCP call', () => {
	let bench: Bench;

	setup(async () => {
		bench = await Bench.create();
	});

	teardown(() => bench.end());

	const call = (client: Client) => client.callTool({ name: 'get_budget', arguments: {} });
	const generate = (client: Client) =>
		client.callTool({
			name: 'generate_image',
			arguments: { prompt: 'A pier', request_key: 'pier' },
		});
	const words = (result: CallToolResult) => {
		const [first] = result.content;
		return first?.type === 'text' ? first.text : '';
	};

	/** Asserts that the call has reached the window of these images. */
	function assertReached(images: Images, count = 1): void {
		assert.equal(images.calls.length, count);
	}

	test('is named in words where there is none, at once', async () => {
		const client = await bench.connect({ maxWaitMs: 3_600_000 });
		const result = await call(client);
		assert.equal(result.isError, true);
		assert.ok(words(result).includes(bench.workspace));
		assert.match(words(result), /open this folder in VS Code with Easel.*same request_key/);
		// A job that was requested before may be running.
		assert.doesNotMatch(words(result), /Nothing was requested/);
	});

	test('is the one that has the folder, the nearest above it', async () => {
		const [outer, inner, other] = [new Images(), new Images(), new Images()];
		await bench.openWindow(outer, [path.dirname(bench.workspace)]);
		await bench.openWindow(inner, [path.join(bench.storage, 'a'), bench.workspace]);
		await bench.openWindow(other, [`${bench.workspace}-other`]);
		const below = path.join(bench.workspace, 'docs');
		await call(await bench.connect({ workspace: below }));
		assertReached(inner);
		await call(await bench.connect({ workspace: `${bench.workspace}-else` }));
		assertReached(outer);
		assertReached(other, 0);
	});

	test('is found by way of a link', async () => {
		const [images, other] = [new Images(), new Images()];
		await mkdir(bench.workspace);
		const link = `${bench.workspace}-link`;
		await symlink(bench.workspace, link, 'junction');
		await bench.openWindow(images, [link]);
		await bench.openWindow(other, [`${bench.workspace}-other`]);
		await call(await bench.connect());
		assertReached(images);
	});

	test('is the only one for a server outside of projects, unless a folder was asked for', async () => {
		const images = new Images();
		await bench.openWindow(images, [`${bench.workspace}-other`]);
		await call(await bench.connect());
		await call(await bench.connect({ workspace: homedir() }));
		assertReached(images, 2);
		const result = await call(await bench.connect({ isExact: true }));
		assert.equal(result.isError, true);
		assertReached(images, 2);
	});

	test('is that of the first root of a client that starts the server outside of projects', async () => {
		const [images, other] = [new Images(), new Images()];
		await bench.openWindow(images);
		await bench.openWindow(other, [`${bench.workspace}-other`]);
		const declared = { capabilities: { roots: {} } };
		const silent = await bench.connect({ workspace: homedir() }, declared);
		silent.setRequestHandler('roots/list', () => Promise.reject(new Error('not now')));
		assert.equal((await call(silent)).isError, true);
		for (const [workspace, count] of [
			[homedir(), 1],
			[`${bench.workspace}-project`, 1],
		] as const) {
			await mkdir(`${bench.workspace}-project/.git`, { recursive: true });
			const client = await bench.connect({ workspace }, declared);
			const uri = pathToFileURL(bench.workspace).href;
			client.setRequestHandler('roots/list', () => ({ roots: [{ uri }] }));
			await call(client);
			assertReached(images, count);
			assertReached(other, 0);
		}
	});

	test('is never that of another project, whose folder the refusal names', async () => {
		const [images, other] = [new Images(), `${bench.workspace}-other`];
		await bench.openWindow(images, [other]);
		for (const [marker, folder] of [
			['.git', bench.workspace],
			['package.json', `${bench.workspace}-package`],
		] as const) {
			await mkdir(path.join(folder, marker), { recursive: true });
			const below = path.join(folder, 'docs', 'guide');
			const client = await bench.connect({ workspace: below });
			const result = await generate(client);
			assert.equal(result.isError, true);
			assert.ok(words(result).includes(`“${below}” open. Open are: ${other}.`), words(result));
			assert.match(words(result), /argument workspace/);
			assertReached(images, 0);
			// The user has said which project is meant.
			const named = { prompt: 'A pier', request_key: 'pier', workspace: other };
			await client.callTool({ name: 'generate_image', arguments: named });
			assert.equal(images.folders.pop(), other);
			images.calls.pop();
		}
	});

	test('is asked for where several are open, and named by an argument', async () => {
		const [one, two] = [new Images(), new Images()];
		await bench.openWindow(one, [`${bench.workspace}-one`]);
		await bench.openWindow(two, [`${bench.workspace}-two`]);
		const client = await bench.connect();
		const result = await call(client);
		assert.equal(result.isError, true);
		assert.match(words(result), /workspace-one, .*workspace-two.*argument workspace/);
		const workspace = path.join(`${bench.workspace}-two`, 'docs');
		const begun = await client.callTool({
			name: 'generate_image',
			arguments: { workspace, prompt: 'A pier' },
		});
		assert.deepEqual(two.folders, [workspace]);
		// What is said of the job goes there, too.
		const { job } = JSON.parse(words(begun)) as { readonly job: string };
		await client.callTool({ name: 'wait_for_image', arguments: { job, up_to_seconds: 0 } });
		assert.deepEqual([one.calls, two.calls], [[], ['generate_image', 'wait_for_image']]);
	});

	test('is not that of the repository for a worktree within it, but that of a folder around both', async () => {
		const [repository, around] = [new Images(), new Images()];
		const worktree = path.join(bench.workspace, '.claude', 'worktrees', 'pier');
		await mkdir(worktree, { recursive: true });
		await mkdir(path.join(bench.workspace, '.git'));
		const link = `gitdir: ${path.join(bench.workspace, '.git', 'worktrees', 'pier')}\n`;
		await writeFile(path.join(worktree, '.git'), link);
		await bench.openWindow(repository);
		const client = await bench.connect({ workspace: path.join(worktree, 'docs') });
		assert.match(words(await call(client)), /No VS Code window/);
		await bench.openWindow(around, [path.dirname(bench.workspace)]);
		await call(client);
		assertReached(around);
		assertReached(repository, 0);
	});

	test('that hangs makes no call wait longer than its limit', async () => {
		const hanging = await bench.openProcess();
		const client = await bench.connect();
		hanging.kill('SIGSTOP');
		const inTime = async (seconds: number, name: string, args: Record<string, unknown>) =>
			words(await client.callTool({ name, arguments: args }, { timeout: seconds * 1000 }));
		const job = crypto.randomUUID();
		const all = await Promise.all([
			inTime(25, 'get_budget', {}),
			inTime(25, 'generate_image', { prompt: 'A pier', request_key: 'pier' }),
			inTime(25, 'wait_for_image', { job, up_to_seconds: 0 }),
			inTime(50, 'wait_for_image', { job }),
		]);
		for (const said of all) {
			assert.match(said, /has not answered within \d\d seconds/);
			assert.match(said, /an image may be in the making.*same request_key.*nothing twice/);
			assert.doesNotMatch(said, /[Nn]othing was (requested|charged|bought)/);
		}
		// It may have been going on with the call all the time.
		hanging.kill('SIGCONT');
	});

	test('that starts together with the server is waited for a little', async () => {
		const client = await bench.connect({ maxStartMs: 3_600_000 });
		const waiting = call(client);
		await until(
			async () => (await readdir(bench.notes).catch(() => undefined)) !== undefined,
			'it',
		);
		const images = new Images();
		await bench.openWindow(images);
		await waiting;
		assertReached(images);
	});

	test('is none whose process was killed, and its note goes', async () => {
		const images = new Images();
		await bench.openWindow(images, [`${bench.workspace}-other`]);
		const killed = await bench.openProcess([`${bench.workspace}-killed`]);
		killed.kill('SIGKILL');
		await once(killed, 'exit');
		await call(await bench.connect());
		assertReached(images);
		assert.equal((await readdir(bench.notes)).length, 1);
	});

	test('is waited for while it reloads, and gets a call that it was at again', async () => {
		const images = new Images();
		const client = await bench.connect({ maxWaitMs: 3_600_000 });
		const killed = await bench.openProcess();
		// Another one that is there all the time is not the one.
		const other = new Images();
		await bench.openWindow(other, [`${bench.workspace}-other`]);
		const called = once(killed.stdout!, 'data');
		const waiting = generate(client);
		await called;
		killed.kill('SIGKILL');
		await once(killed, 'exit');
		// The server has noticed when the note is gone.
		await until(async () => (await readdir(bench.notes)).length === 1, 'the removed note');
		await bench.openWindow(images);
		const result = await waiting;
		assert.match(words(result), /"state":"running"/);
		assert.equal(images.requested, 1);
		assertReached(other, 0);
	});

	test('is given up after a time', async () => {
		const socket = await bench.openWindow(new Images());
		const client = await bench.connect({ maxWaitMs: 100 });
		await call(client);
		await socket.close();
		const result = await call(client);
		assert.match(words(result), /open this folder/);
	});

	test('is no longer waited for where the client is gone', async () => {
		const socket = await bench.openWindow(new Images());
		const client = await bench.connect({ maxWaitMs: 3_600_000 });
		await call(client);
		await socket.close();
		await assert.rejects(
			client.callTool({ name: 'get_budget', arguments: {} }, { timeout: 100 }),
			/timed out/i,
		);
		await client.close();
	});

	test('is none of a note that is broken, of a newer Easel, a folder or too large', async () => {
		const images = new Images();
		await bench.openWindow(images);
		const { notes } = bench;
		const note = { format: 2, address: '/x', token: 'x', folders: [bench.workspace] };
		await writeFile(path.join(notes, 'a.json'), JSON.stringify(note));
		await writeFile(path.join(notes, 'b.json'), '{"format":1,');
		await writeFile(path.join(notes, 'c.json'), JSON.stringify({ ...note, format: 1, folders: 7 }));
		await mkdir(path.join(notes, 'd.json'));
		await writeFile(path.join(notes, 'e.json'), ' '.repeat(300 * 1024));
		await call(await bench.connect());
		assertReached(images);
	});
});
