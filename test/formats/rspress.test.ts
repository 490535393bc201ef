import { testSite } from './siteTests';

// It decodes no path before it looks for the file, and has no base in HTML.
testSite('Rspress', { unfound: /%20|^<img|srcset/, unshown: /100%|#1/ });
