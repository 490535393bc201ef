// Imported before everything that uses the file system or sockets: counts those calls and lets one
// of them fail, or all from one on, as SQLite does it in its own tests ("I/O error testing").
import { AsyncLocalStorage } from 'node:async_hooks';
import fs from 'node:fs';
import net, { Socket, type Server } from 'node:net';
import { constants } from 'node:os';

/** The refusals that a file system has. `ENOENT` only where another process could be quicker. */
export const codes = ['EMFILE', 'EBUSY', 'EPERM', 'EACCES', 'ENOSPC', 'EIO', 'ENOENT'] as const;
export type Code = (typeof codes)[number];

/** The calls that fail: that of this number, from 1, once, or all from it on until it is healed. */
export interface Plan {
	readonly at: number;
	readonly code: Code;
	readonly mode: 'once' | 'from then on';
}

/** The calls of one window or worker, and the plan for them. */
export class Injection {
	/** Each call with the names of the files, in order. */
	readonly calls: string[] = [];
	#healed = false;

	/**
	 * @param concerns true for the paths that are counted
	 * @param isHealed asked while calls are refused
	 */
	constructor(
		private readonly concerns: (path: string) => boolean,
		private readonly plan?: Plan,
		private readonly isHealed: () => boolean = () => false,
	) {}

	/** From now on nothing fails any more. */
	heal(): void {
		this.#healed = true;
	}

	/** Counts a call. Returns the refusal, if it is to fail. */
	refusal(call: string, paths: readonly string[]): NodeJS.ErrnoException | undefined {
		if (!paths.some((path) => this.concerns(path))) {
			return undefined;
		}
		this.calls.push(
			`${call} ${paths.map((path) => path.split('/').slice(-2).join('/')).join(' ')}`,
		);
		const { plan } = this;
		if (plan === undefined || this.#healed) {
			return undefined;
		}
		const number = this.calls.length;
		const hit = plan.mode === 'once' ? number === plan.at : number >= plan.at;
		if (!hit || (plan.mode === 'from then on' && this.isHealed())) {
			return undefined;
		}
		return refusal(plan.code, call, paths);
	}
}

/** Whose calls are counted: those of the code that runs within, and of what it starts. */
export const injections = new AsyncLocalStorage<Injection>();

/** For a process whose calls all count. */
let ofProcess: ((paths: readonly string[]) => Injection | undefined) | undefined;

export function injectProcess(find: (paths: readonly string[]) => Injection | undefined): void {
	ofProcess = find;
}

function current(paths: readonly string[]): Injection | undefined {
	return injections.getStore() ?? ofProcess?.(paths);
}

function refusal(code: Code, call: string, paths: readonly string[]): NodeJS.ErrnoException {
	return Object.assign(new Error(`${code}: injected, ${call} '${paths.join("' -> '")}'`), {
		code,
		errno: -constants.errno[code],
		syscall: call,
		path: paths[0],
	});
}

type Call = (...args: unknown[]) => unknown;

const promises = fs.promises as unknown as Record<string, Call>;

const withOnePath = [
	...['access', 'appendFile', 'lstat', 'mkdir', 'mkdtemp', 'readdir', 'readFile', 'realpath'],
	...['rm', 'rmdir', 'stat', 'writeFile'],
];
const withTwoPaths = ['copyFile', 'link', 'rename'];

for (const [names, count] of [
	[withOnePath, 1],
	[withTwoPaths, 2],
] as const) {
	for (const name of names) {
		const call = promises[name]!;
		promises[name] = function (...args: unknown[]) {
			const paths = args.slice(0, count).map(String);
			const refused = current(paths)?.refusal(name, paths);
			return refused === undefined ? call.apply(this, args) : Promise.reject(refused);
		};
	}
}

/** Paths of open files. */
const paths = new WeakMap<object, string>();

const open = promises['open']!;
promises['open'] = async function (...args: unknown[]) {
	const path = String(args[0]);
	const refused = current([path])?.refusal('open', [path]);
	if (refused !== undefined) {
		throw refused;
	}
	const handle = (await open.apply(this, args)) as object;
	patchHandles(handle);
	paths.set(handle, path);
	return handle;
};

let patched = false;

function patchHandles(handle: object): void {
	if (patched) {
		return;
	}
	patched = true;
	const prototype = Object.getPrototypeOf(handle) as Record<string, Call>;
	// `close` is left alone: what it refuses has been released all the same.
	for (const name of ['read', 'write', 'writeFile', 'sync', 'stat']) {
		const call = prototype[name]!;
		prototype[name] = function (this: object, ...args: unknown[]) {
			const path = paths.get(this) ?? '';
			const refused = current([path])?.refusal(`handle.${name}`, [path]);
			return refused === undefined ? call.apply(this, args) : Promise.reject(refused);
		};
	}
}

const connect = net.connect as Call;
(net as unknown as Record<string, Call>)['connect'] = function (...args: unknown[]) {
	const [address] = args;
	const refused =
		typeof address === 'string' ? current([address])?.refusal('connect', [address]) : undefined;
	if (refused === undefined) {
		return connect.apply(this, args);
	}
	const socket = new Socket();
	process.nextTick(() => socket.destroy(refused));
	return socket;
};

const serverPrototype = net.Server.prototype as unknown as Record<string, Call>;
const listen = serverPrototype['listen']!;
serverPrototype['listen'] = function (this: Server, ...args: unknown[]) {
	const [address] = args;
	const refused =
		typeof address === 'string' ? current([address])?.refusal('listen', [address]) : undefined;
	if (refused === undefined) {
		return listen.apply(this, args);
	}
	process.nextTick(() => this.emit('error', refused));
	return this;
};
