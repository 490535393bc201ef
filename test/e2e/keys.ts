import type { KeyBinding } from '../host/userFiles';
import type { Workbench } from './workbench';

/** Keys that VS Code leaves free, so that a test can start images without a question. */
export class Keys {
	readonly bindings: readonly KeyBinding[];
	private readonly names: readonly string[];

	/** @param commands a command and its arguments by a name of the test's own; twelve at most */
	constructor(commands: Readonly<Record<string, readonly [command: string, args?: unknown]>>) {
		this.names = Object.keys(commands);
		this.bindings = Object.values(commands).map(([command, args], index) => {
			return { key: `ctrl+alt+shift+f${String(index + 1)}`, command, args };
		});
	}

	async press({ page }: Workbench, name: string): Promise<void> {
		await page.keyboard.press(`Control+Alt+Shift+F${String(this.names.indexOf(name) + 1)}`);
	}
}
