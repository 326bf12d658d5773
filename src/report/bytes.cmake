# A file as numbers between commas: cmake -DINPUT=... -DOUTPUT=... -P bytes.cmake
file(READ ${INPUT} bytes HEX)
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "(char)0x\\1," bytes "${bytes}")
string(REGEX REPLACE ",$" "" bytes "${bytes}")
string(REGEX REPLACE "((\\(char\\)0x..,){16})" "\\1\n" bytes "${bytes}")
file(WRITE ${OUTPUT} "${bytes}\n")
