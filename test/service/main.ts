import { parseArgs } from 'node:util';
import { manners, type MannerName } from './manners.js';
import { startImageService, type ImageService } from './server.js';

const usage = `Usage: npm run service -- [options]

Runs the stand-in image service and prints its address.

  --port N         port to listen on; 0, the default, takes a free one
  --host NAME      address to listen on; default 127.0.0.1
  --key KEY        API key that is accepted; default test-key
  --empty-key KEY  another key, whose quota is used up (402)
  --latency S      seconds that an image takes, for example 0.5; default 0
  --pictures SIZE  real, the default: as large as the real service's, 1 to 3 MB at
                   1024x1024 and 12 to 24 MB at 3840x2160; small: about 0.1 MB,
                   as a single prompt has it with [fault small]
  --service KIND   standard, the default, openai, azure (the model is my-images) or local
  --help           shows this text

Faults come in prompts, for example "A fox [fault status=503 times=2]".
`;

const mannerNames = Object.keys(manners) as MannerName[];

class UsageError extends Error {}

void main();

async function main(): Promise<void> {
	try {
		await run();
	} catch (error) {
		process.stderr.write(`${(error as Error).message}\n`);
		process.exitCode = error instanceof UsageError ? 2 : 1;
	}
}

async function run(): Promise<void> {
	const values = readOptions();
	if (values.help) {
		process.stdout.write(usage);
		return;
	}
	const port = numberOption('port', values.port, 65_535);
	if (!Number.isInteger(port)) {
		throw new UsageError(`--port must be a whole number, not "${values.port}".`);
	}
	const service = await startImageService({
		port,
		host: textOption('host', values.host),
		key: textOption('key', values.key),
		latencyMs: numberOption('latency', values.latency, 3600) * 1000,
		pictures: choiceOption('pictures', values.pictures, ['real', 'small']),
		manner: choiceOption('service', values.service, mannerNames),
		keys:
			values['empty-key'] === undefined
				? []
				: [{ key: textOption('empty-key', values['empty-key']), quota: 'insufficient' }],
	});
	closeOnSignal(service);
	process.stdout.write(`${service.address}\n`);
}

function readOptions() {
	try {
		return parseArgs({
			options: {
				port: { type: 'string', default: '0' },
				host: { type: 'string', default: '127.0.0.1' },
				key: { type: 'string', default: 'test-key' },
				'empty-key': { type: 'string' },
				latency: { type: 'string', default: '0' },
				pictures: { type: 'string', default: 'real' },
				service: { type: 'string', default: 'standard' },
				help: { type: 'boolean', default: false },
			},
		}).values;
	} catch (error) {
		throw new UsageError((error as Error).message);
	}
}

function numberOption(name: string, text: string, most: number): number {
	const value = Number(text);
	if (!/^\d*\.?\d+$/.test(text) || value > most) {
		throw new UsageError(`--${name} must be a number from 0 to ${most}, not "${text}".`);
	}
	return value;
}

function choiceOption<const T extends string>(
	name: string,
	text: string,
	choices: readonly T[],
): T {
	const found = choices.find((choice) => choice === text);
	if (found === undefined) {
		throw new UsageError(`--${name} must be ${choices.join(' or ')}, not "${text}".`);
	}
	return found;
}

function textOption(name: string, text: string): string {
	if (!/^\S+$/.test(text)) {
		throw new UsageError(`--${name} must not be empty or contain blanks.`);
	}
	return text;
}

/** Nothing keeps the process alive after `close`: it ends by itself, with status 0. */
function closeOnSignal(service: ImageService): void {
	for (const signal of ['SIGINT', 'SIGTERM'] as const) {
		process.once(signal, () => void service.close());
	}
}
