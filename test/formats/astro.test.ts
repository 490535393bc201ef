import { testSite } from './siteTests';

// A page shows front matter as it likes, and `/src/` is there in development alone.
testSite('Astro', { unfound: /^---|\(\/src/ });
