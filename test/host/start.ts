// `npm start`: Easel in a real VS Code, with the stand-in image service behind it.
import { spawn } from 'node:child_process';
import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { manners, type MannerName } from '../service/manners';
import { startImageService, type ImageService } from '../service/server';
import { repository, say } from './cache';
import { installExtension, prepareCodeServer, startServer } from './codeServer';
import { folderUrl } from './codeServerHost';
import { generateHeadless } from './generateHeadless';
import { packageExtension } from './package';
import { quietSettings } from './quietSettings';
import { Sandbox } from './sandbox';

const usage = `Usage: npm start -- [options]
       npm start -- --headless "a prompt"

Opens a sample folder in a real VS Code on this machine, with Easel installed and a stand-in
image service behind it. Nothing is charged, and no account is needed.

  --headless           generate one image by itself, print where it is, and end
  --latency SECONDS    how long an image takes (default 3)
  --port PORT          the image service's port (default: any free one)
  --editor-port PORT   VS Code's port (default: any free one)
  --no-browser         only print the address
  --service KIND       standard (default), openai, azure or local
  --help               show this text
`;

const apiKey = 'test-key';

class UsageError extends Error {}

interface Options {
	prompt: string | undefined;
	latencyMs: number;
	port: number;
	editorPort: number;
	browser: boolean;
	manner: MannerName;
}

async function main(): Promise<void> {
	const options = readOptions(process.argv.slice(2));
	if (!options) {
		process.stdout.write(usage);
		return;
	}
	say('Building and packaging the extension…');
	const vsix = await packageExtension();
	const { port, latencyMs, manner } = options;
	const service = await startImageService({ port, latencyMs, manner, key: apiKey });
	try {
		if (options.prompt === undefined) await openForPerson(options, vsix, service);
		else await openHeadless(options.prompt, options, vsix, service);
	} catch (error) {
		await service.close();
		throw error;
	}
}

/** @returns `undefined` if help is asked for. */
function readOptions(args: string[]): Options | undefined {
	const { values, positionals } = parse(args);
	if (values.help) return undefined;
	if (values.headless && positionals.length !== 1) {
		throw new UsageError('--headless needs one prompt, in quotes.');
	}
	if (!values.headless && positionals.length > 0) {
		throw new UsageError(`“${positionals[0]}” is not an option. A prompt goes with --headless.`);
	}
	return {
		prompt: positionals[0],
		latencyMs: 1000 * readNumber('latency', values.latency, 3600),
		port: readNumber('port', values.port, 65_535),
		editorPort: readNumber('editor-port', values['editor-port'], 65_535),
		browser: !values['no-browser'],
		manner: readManner(values.service),
	};
}

function parse(args: string[]) {
	try {
		return parseArgs({
			args,
			allowPositionals: true,
			options: {
				headless: { type: 'boolean', default: false },
				latency: { type: 'string', default: '3' },
				port: { type: 'string', default: '0' },
				'editor-port': { type: 'string', default: '0' },
				service: { type: 'string', default: 'standard' },
				'no-browser': { type: 'boolean', default: false },
				help: { type: 'boolean', default: false },
			},
		});
	} catch (error) {
		throw new UsageError((error as Error).message);
	}
}

function readManner(text: string): MannerName {
	if (!Object.hasOwn(manners, text)) {
		throw new UsageError(`--service is ${Object.keys(manners).join(', ')}, not “${text}”.`);
	}
	return text as MannerName;
}

function readNumber(name: string, text: string, most: number): number {
	const value = Number(text);
	const whole = name === 'latency' || Number.isInteger(value);
	if (!/^[\d.]+$/.test(text) || !whole || !(value <= most)) {
		throw new UsageError(`--${name} is a number from 0 to ${most}, not “${text}”.`);
	}
	return value;
}

async function openForPerson(options: Options, vsix: string, service: ImageService): Promise<void> {
	// First, so that Ctrl+C is a normal end here; the sandbox clears itself on the way out.
	for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
		process.on(signal, () => process.exit(0));
	}
	const program = await prepareCodeServer();
	const sandbox = new Sandbox();
	const folder = join(sandbox.root, 'harbor');
	await cp(join(repository, 'test/sample'), folder, { recursive: true });
	await installExtension(program, sandbox, vsix);
	const server = await startServer({
		program,
		sandbox,
		port: options.editorPort,
		env: { EASEL_API_KEY: apiKey },
		userFiles: {
			settings: {
				...quietSettings,
				'easel.service.confirmCalls': 'oncePerSession',
				...serviceSettings(options, service),
			},
		},
	});
	const url = folderUrl(server, folder);
	say(`Image service: ${service.address} (${options.latencyMs / 1000} s for an image)`);
	say('The folder, its images and all settings are temporary: they go when this ends.');
	say('Press F1 and choose “Easel: Generate Image…”. Ctrl+C ends everything.');
	process.stdout.write(`${url}\n`);
	if (options.browser) openBrowser(url);
}

function serviceSettings({ manner }: Options, { address }: ImageService): Record<string, string> {
	const model = manner === 'azure' ? 'my-images' : '';
	return {
		'easel.service.address': address,
		'easel.service.type': manner,
		'easel.service.model': model,
	};
}

async function openHeadless(
	prompt: string,
	options: Options,
	vsix: string,
	service: ImageService,
): Promise<void> {
	const output = join(repository, 'test-results/start');
	await rm(output, { recursive: true, force: true });
	const { image, screenshot } = await generateHeadless({
		prompt,
		vsix,
		output,
		settings: serviceSettings(options, service),
		apiKey,
		timeoutMs: options.latencyMs + 120_000,
	});
	await service.close();
	process.stdout.write(`${image}\n${screenshot}\n`);
	process.exit(0);
}

/** Opens the address in a browser; without one, the printed line has to do. */
function openBrowser(url: string): void {
	const [program, ...args] =
		process.platform === 'darwin'
			? ['open']
			: process.platform === 'win32'
				? ['cmd', '/c', 'start', '""']
				: ['xdg-open'];
	const child = spawn(program, [...args, url], { stdio: 'ignore', detached: true });
	child.on('error', () => {});
	child.unref();
}

main().catch((error: unknown) => {
	if (error instanceof UsageError) say(`${error.message}\n\n${usage}`);
	else say(error instanceof Error ? error.message : String(error));
	process.exit(error instanceof UsageError ? 2 : 1);
});
