import * as vscode from 'vscode';
import { log } from '../log.js';
import { readSetting } from '../editor/settings.js';
import { showSystemNotification } from '../editor/systemNotification.js';
import type { BatchEnds } from './outcome.js';
import { countsText } from './roundWords.js';

/** What is known of the window. */
export interface Window {
	/** Whether a person works in it. */
	readonly isInFront: boolean;
	/** Whether what runs here can show something on the desktop that the window is on. */
	readonly isOfThisDesktop: boolean;
}

const thisWindow: Window = {
	get isInFront() {
		return vscode.window.state.focused;
	},
	get isOfThisDesktop() {
		const { remoteName, uiKind } = vscode.env;
		return uiKind === vscode.UIKind.Desktop && remoteName === undefined;
	},
};

/** Tells the ends of images outside of a window that is not in front, for those who want that. */
export class OutsideNotices {
	#hasFailed = false;

	/** @param window, show those of the editor and the system; given for tests */
	constructor(
		private readonly window: Window = thisWindow,
		private readonly show: (text: string) => Promise<void> = showSystemNotification,
	) {}

	/**
	 * Tells how many images are saved or have failed, in numbers alone: others may see the screen. That
	 * a system cannot do it is logged once.
	 *
	 * @throws {SettingError}
	 */
	async notify({ asked, arrived, cancelled, failures }: BatchEnds): Promise<void> {
		const isWanted =
			readSetting('notifications.system') === 'windowNotFocused' &&
			!this.window.isInFront &&
			this.window.isOfThisDesktop;
		if (!isWanted || arrived.length + failures.length === 0) {
			return;
		}
		const inserted = arrived.filter(({ followUp }) => followUp.inserted).length;
		try {
			await this.show(countsText({ asked, saved: arrived.length, inserted, cancelled, failures }));
		} catch (error) {
			if (!this.#hasFailed) {
				this.#hasFailed = true;
				log.error('The system could not show a notification', error);
			}
		}
	}
}
