import * as vscode from 'vscode';
import {
	defaultNetworkOptions,
	networkOptionsSchema,
	type NetworkOptions,
} from '../service/transport.js';

/**
 * Reads VS Code's `http.*` settings, as the user has set them. Values of a workspace are left out:
 * a repository that somebody opens must not be able to redirect the key to a proxy of its own.
 * A value that is none counts as not set.
 */
export function readNetworkOptions(): NetworkOptions {
	const configuration = vscode.workspace.getConfiguration('http', null);
	const options: Record<string, unknown> = {};
	for (const [key, schema] of Object.entries(networkOptionsSchema.shape)) {
		const found = configuration.inspect(key);
		// The default is VS Code's own, and null where it means that there is none.
		const value = [found?.globalValue, found?.defaultValue].find(
			(candidate) => candidate !== undefined && schema.safeParse(candidate).success,
		);
		options[key] = value ?? defaultNetworkOptions[key as keyof NetworkOptions];
	}
	return networkOptionsSchema.parse(options);
}
