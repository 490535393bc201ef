/** What is older has been read. */
const maxAnnounced = 8;

/** Has a screen reader read a text in a live region. Adds a paragraph: what is said again is read again. */
export function announceIn(region: HTMLElement, text: string): void {
	const paragraph = document.createElement('p');
	paragraph.textContent = text;
	region.append(paragraph);
	while (region.childElementCount > maxAnnounced) {
		region.firstElementChild?.remove();
	}
}
