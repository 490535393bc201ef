import type { StudioEvent } from '../../../protocol/studio.js';
import type { WaitingRow } from '../../../protocol/studioModel.js';
import type { Announcement } from '../jobAnnouncements.js';

export type Notice = Omit<Extract<StudioEvent, { type: 'notice' }>, 'type'> & {
	/** Undoes what the page has done by itself. */
	readonly restore?: () => void;
};

/** More would push away the pictures. */
const maxNotices = 3;
/** Number of announcements; older ones have been read. */
const maxAnnouncements = 8;

/** Notices that are shown, and announcements for screen readers. */
export class Notices {
	/** Newest last. */
	shown: readonly Notice[] = [];
	announcements: readonly Announcement[] = [];
	/** Questions and choices that wait for the user. */
	waiting: readonly WaitingRow[] = [];

	constructor(private readonly changed: () => void) {}

	/** Shows a notice; one that is repeated stands there once. */
	show(notice: Notice): void {
		const others = this.shown.filter(
			({ text, undo }) => text !== notice.text || undo?.join() !== notice.undo?.join(),
		);
		this.shown = [...others, notice].slice(-maxNotices);
		this.changed();
	}

	setWaiting(waiting: readonly WaitingRow[]): void {
		this.waiting = waiting;
		this.changed();
	}

	/** Shows why something was not done. */
	showError(text: string): void {
		this.show({ severity: 'error', text });
	}

	dismiss(notice: Notice): void {
		this.shown = this.shown.filter((other) => other !== notice);
		this.changed();
	}

	/** Dismisses what only informs and restores no file. */
	dismissInfos(): void {
		this.shown = this.shown.filter(({ severity, undo }) => severity !== 'info' || undo);
		this.changed();
	}

	/** Has a screen reader say something that nothing on the screen with the focus says. */
	announce(text: string, urgent = false): void {
		this.announcements = [...this.announcements, { text, urgent }].slice(-maxAnnouncements);
		this.changed();
	}
}
