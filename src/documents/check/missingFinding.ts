import path from 'node:path';
import type { MissingImage } from '../missing/missingIn.js';
import type { Finding } from './finding.js';
import { findingTexts } from './messages.js';

/** Returns the finding for an image that is proved to be missing. */
export function missingFinding(
	{ document, reference, lines, candidates }: MissingImage,
	severity: Finding['severity'],
): Finding {
	const { destination, destinationSpan } = reference;
	const [elsewhere] = candidates;
	const shown = elsewhere && path.relative(path.dirname(document), elsewhere).replaceAll('\\', '/');
	return {
		...{ rule: 'image-missing', severity, document, span: destinationSpan, destination },
		lines: lines ?? { line: 1, column: 1, endLine: 1, endColumn: 1 },
		image: undefined,
		message:
			shown === undefined
				? findingTexts['image-missing'](destination)
				: findingTexts['image-missing-elsewhere'](destination, shown),
		...{ fix: undefined, link: '', linkStart: reference.span.start },
		...{ caption: undefined, decorative: undefined },
	};
}
