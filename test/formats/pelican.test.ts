import { testSite } from './siteTests';

// It takes paths out of the HTML as they stand there, with their escapes, and gives up on those.
testSite('Pelican', { unshown: /Ärger|100%|#1/ });
