// home
