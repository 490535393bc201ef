// The types of the panels, also in the manifest: this is how VS Code finds who restores one.
export const comparisonType = 'easel.compare';
export const studioType = 'easel.studio';
/** The same of the view of the studio. */
export const studioView = 'easel.studioView';
