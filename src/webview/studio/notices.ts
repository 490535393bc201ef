import type { StudioEvent } from '../../protocol/studio.js';

export type Notice = Omit<Extract<StudioEvent, { type: 'notice' }>, 'type'>;

/** More would push away what a person works with. */
const most = 3;

/** Adds a notice below the others. What is said again stands there once. */
export function withNotice(notices: readonly Notice[], notice: Notice): Notice[] {
	const others = notices.filter(({ text, undo }) => text !== notice.text || undo !== notice.undo);
	return [...others, notice].slice(-most);
}
