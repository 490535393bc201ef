import * as vscode from 'vscode';

/** A virtual file system: no links, no disk. */
export class MemoryFiles implements vscode.FileSystemProvider {
	readonly #files = new Map<string, { bytes: Uint8Array; changedAt: number }>();
	readonly #folders = new Set(['/']);
	readonly #changed = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
	readonly onDidChangeFile = this.#changed.event;

	names(): string[] {
		return [...this.#files.keys()].map((path) => path.slice(1)).sort();
	}

	watch(): vscode.Disposable {
		return new vscode.Disposable(() => undefined);
	}

	stat({ path }: vscode.Uri): vscode.FileStat {
		if (this.#folders.has(path)) {
			return { type: vscode.FileType.Directory, ctime: 0, mtime: 0, size: 0 };
		}
		const { bytes, changedAt } = this.#get(path);
		return { type: vscode.FileType.File, ctime: 0, mtime: changedAt, size: bytes.length };
	}

	readFile({ path }: vscode.Uri): Uint8Array {
		return this.#get(path).bytes;
	}

	writeFile(uri: vscode.Uri, bytes: Uint8Array, { overwrite } = { overwrite: true }): void {
		if (this.#files.has(uri.path) && !overwrite) {
			throw vscode.FileSystemError.FileExists(uri);
		}
		this.#files.set(uri.path, { bytes, changedAt: Date.now() });
		this.#changed.fire([{ type: vscode.FileChangeType.Changed, uri }]);
	}

	rename(from: vscode.Uri, to: vscode.Uri, { overwrite }: { readonly overwrite: boolean }): void {
		const found = this.#get(from.path);
		if (this.#files.has(to.path) && !overwrite) {
			throw vscode.FileSystemError.FileExists(to);
		}
		this.#files.delete(from.path);
		this.#files.set(to.path, found);
	}

	delete({ path }: vscode.Uri): void {
		this.#get(path);
		this.#files.delete(path);
	}

	readDirectory(): [string, vscode.FileType][] {
		return this.names().map((name) => [name, vscode.FileType.File]);
	}

	createDirectory({ path }: vscode.Uri): void {
		this.#folders.add(path);
	}

	#get(path: string): { bytes: Uint8Array; changedAt: number } {
		const found = this.#files.get(path);
		if (found === undefined) {
			throw vscode.FileSystemError.FileNotFound(path);
		}
		return found;
	}
}
